/**
 * Owns the removal of what a whole edition no longer holds (`--complete`), after all of it has been loaded. An edition that is
 * smaller than a set share of what is there then, its own records included, removes nothing.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { isGone } from "../../api/core/gone.ts";
import { BatchChange } from "../log/batch-change.ts";
import { readNamed } from "../log/changes.ts";
import { walkGroups } from "../projection/groups.ts";
import { isToldSince } from "../statements/statement.ts";
import { writeStatements } from "../statements/write.ts";
import type { WholeEdition } from "./editions.ts";
import { IdDifference } from "./id-difference.ts";
import { countUnmended, fetchMenders } from "./mends.ts";
import type { LoadRun } from "./open-file.ts";

// Records removed at once.
const BATCH = 500;

/**
 * Removes the records of the edition's kinds that no row of the load, or of those that mend it, has named; returns how many.
 * What an event of its day or later, or another load, has told since stays. Throws CommandError, with nothing removed, when
 * rows were refused, or when so much is lacking that the edition can hardly be whole.
 */
export async function retireLacking(run: LoadRun, edition: WholeEdition): Promise<number> {
  const { record } = run;
  const { documents } = run.stores.mongo;
  const { counts } = record;
  const menders = await fetchMenders(documents, [record._id]);
  const refused = Math.min(counts.refused, await countUnmended(documents, record, menders));
  // What was mended has been written by then, so that it changes nothing any more.
  record.counts = { ...counts, refused, unchanged: counts.unchanged + counts.refused - refused };
  guardRefused(run);
  const ids = new IdDifference();
  try {
    for (const { _id } of [record, ...menders])
      for await (const named of readNamed(documents, _id)) ids.name(named.ids);
    await guardShare(run, edition, { ids, brought: 0 });
    return await removeLacking(run, ids, edition);
  } finally {
    await ids.remove();
  }
}

/**
 * Throws CommandError when rows were refused and are not mended, for what they hold is not named, unless forced. One that was
 * discarded, or loaded without `--mends`, is still one that the load does not know.
 */
export function guardRefused({ isForced, isDryRun, record }: LoadRun): void {
  const { _id: load, counts } = record;
  if (counts.refused === 0 || isForced) return;
  const why = "what those rows hold would be taken for lacking";
  throw new CommandError(
    isDryRun
      ? `nothing would be removed: ${counts.refused} rows would be refused, and ${why}. Mend them, or use --force`
      : `everything but ${counts.refused} refused rows was loaded, and nothing was removed: ${why}. When ` +
          `they are mended (npm run cli -- dead-letters export ${load}, then load FILE --mends ${load}), go on with ` +
          `load --resume ${load}; or load a mended edition; or go on with --force`,
  );
}

/** What the edition should hold: its kind, and nobody has told anything newer of it. */
export function isCovered(held: StoredRecord, edition: WholeEdition): boolean {
  return edition.completeness.covers(held, edition.context) && !isToldSince(held, edition.productionDate);
}

/**
 * Compares the records that an edition's rows have named to `ids` with what is there; `ids` then holds what it lacks, which would
 * be removed. Returns how many. Throws CommandError when it holds less than a set share of what it should, unless forced.
 * `brought`: of a dry run the records that it would bring, which are there when a load compares.
 */
export async function guardShare(
  { stores, context, isForced, isDryRun }: LoadRun,
  edition: WholeEdition,
  { ids, brought }: { ids: IdDifference; brought: number },
): Promise<number> {
  const { records, members } = edition.completeness;
  const read = ["revision", "told", "update", ...members];
  let covered = brought;
  for (const record of records) {
    for await (const groups of walkGroups(stores.mongo, { record, groupBy: "_id" }, { members: read })) {
      const held = groups.filter(({ records: [first] }) => first && isCovered(first, edition));
      covered += held.length;
      for (const { id } of held) ids.hold({ collection: record.collection, id });
    }
  }
  const lacking = await ids.countLacking();
  const minimumPercent = isForced ? 0 : context.config.COMPLETE_MIN_PERCENT;
  const percent = covered === 0 ? 100 : (100 * (covered - lacking)) / covered;
  if (percent >= minimumPercent) return lacking;
  const [outcome, those] = isDryRun
    ? ["nothing would be removed", "that would be there"]
    : ["everything was loaded, but nothing was removed", "that are there"];
  throw new CommandError(
    `${outcome}: the edition holds only ${percent.toFixed(1)} % of the ` +
      `${covered} records ${those}, its own included, and ${minimumPercent} % is the least (COMPLETE_MIN_PERCENT). ` +
      "Get the edition again, or, when it is as it should be, run the same load with --force",
  );
}

async function removeLacking(run: LoadRun, ids: IdDifference, edition: WholeEdition): Promise<number> {
  const kinds = edition.completeness.records.map((record) => ({ record, waiting: [] as string[] }));
  let [removed, chunks] = [0, 0];
  const remove = async (record: RecordDefinition, chunk: string[]) => {
    const job = `${run.record._id}-retire-${chunks++}`;
    removed += await removeChunk(run, edition, { record, ids: chunk, job });
  };
  for await (const lacking of ids.lacking()) {
    for (const { record, waiting } of kinds) {
      for (const { collection, id } of lacking) if (collection === record.collection) waiting.push(id);
      while (waiting.length >= BATCH) await remove(record, waiting.splice(0, BATCH));
    }
  }
  for (const { record, waiting } of kinds) if (waiting.length > 0) await remove(record, waiting);
  return removed;
}

/** Of each record it is stated that it is gone, which an older event or edition that comes later does not undo. */
async function removeChunk(
  { stores, record: { _id: load, plan } }: LoadRun,
  edition: WholeEdition,
  { record, ids, job }: { record: RecordDefinition; ids: string[]; job: string },
): Promise<number> {
  const { revision } = plan;
  const at = edition.productionDate ?? "";
  // What has a higher revision was written by the load, or later.
  const isMeant = (held?: HeldRecord) =>
    held !== undefined && !isGone(held) && held.revision < revision && isCovered(held, edition);
  const statements = [{ at, place: revision, gone: true as const }];
  const incoming = ids.map((id) => ({ id, statements, isUndated: at === "", isMeant }));
  let removed = 0;
  await BatchChange.make(
    stores,
    { load, job, revision, ids: { [record.collection]: ids } },
    async (change) => {
      const onLeave = (held: StoredRecord[]) => change.leave(record, held);
      const written = await writeStatements(stores.mongo, record, incoming, { revision, onLeave });
      await change.index(record, written);
      removed = written.filter(({ effect }) => effect === "removed").length;
      return undefined;
    },
  );
  return removed;
}
