/** Removes the records that a whole edition no longer holds (`--complete`), once all of it is loaded. */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { formatNumber } from "../../api/shared/runtime/format.ts";
import type {
  RecordOrTombstone,
  RecordDefinition,
  StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import { isTombstone } from "../../api/shared/values/tombstone.ts";
import { BatchChange } from "../log/batch-change.ts";
import { readBatches } from "../log/changes.ts";
import { walkGroups } from "../projection/groups.ts";
import { isStatedSince } from "../statements/statement.ts";
import type { WholeEdition } from "./editions.ts";
import { IdDifference } from "./id-difference.ts";
import { countUnmended, fetchMenders } from "./mends.ts";
import type { LoadRun } from "./open-file.ts";

const BATCH = 500;

/**
 * Removes the records that neither this load nor a load that mends it has named, unless something newer
 * changed them. Removes nothing and throws CommandError if rows were refused or the edition is too small.
 */
export async function retireLacking(run: LoadRun, edition: WholeEdition): Promise<number> {
  const { record } = run;
  const { documents } = run.stores.mongo;
  const { counts } = record;
  const menders = await fetchMenders(documents, [record._id]);
  const refused = Math.min(counts.refused, await countUnmended(documents, record, menders));
  // Mended rows were written by the loads that mended them, so they count as unchanged here.
  record.counts = { ...counts, refused, unchanged: counts.unchanged + counts.refused - refused };
  guardRefused(run);
  const stored = await countStored(run, edition);
  const ids = new IdDifference(Math.max(counts.read, stored));
  try {
    for (const { _id } of [record, ...menders])
      for await (const batch of readBatches(documents, _id, ["ids"])) ids.name(batch.ids);
    const lacking = await guardShare(run, edition, { ids, brought: 0, stored });
    return await removeLacking(run, edition, { ids, lacking });
  } finally {
    await ids.remove();
  }
}

/** Throws CommandError if refused rows are not mended, unless forced: their records are unknown. */
export function guardRefused({ isForced, isDryRun, record }: LoadRun): void {
  const { _id: load, counts } = record;
  if (counts.refused === 0 || isForced) return;
  const refused = formatNumber(counts.refused, "row");
  const why = "records in refused rows would count as missing";
  throw new CommandError(
    isDryRun
      ? `nothing would be removed, since ${refused} would be refused: ${why}. Mend the edition, or use --force`
      : `${refused} refused, the others loaded, and nothing removed: ${why}. ` +
          `Run npm run cli -- refused-rows export ${load} --out FILE, mend the rows, then run load FILE --mends ${load} and ` +
          `load --resume ${load}. Or load a mended edition, or use --force`,
  );
}

/** True for a record that the edition should hold: one of its kind that nothing newer has changed. */
export function isCovered(stored: StoredRecord, edition: WholeEdition): boolean {
  const { completeness, context, productionDate } = edition;
  return completeness.covers(stored, context) && !isStatedSince(stored, productionDate);
}

/**
 * Counts the stored records that the edition lacks; `ids` then lists them. Throws CommandError if they are
 * too many, unless forced. `brought`: records that only a dry run would create; `stored`: about how many there are to look at.
 */
export async function guardShare(
  run: LoadRun,
  edition: WholeEdition,
  { ids, brought, stored: total }: { ids: IdDifference; brought: number; stored: number },
): Promise<number> {
  const { context, isForced, isDryRun } = run;
  const covered = brought + (await holdCovered(run, edition, { ids, total }));
  const lacking = await ids.countLacking();
  const minimumPercent = isForced ? 0 : context.config.COMPLETE_MIN_PERCENT;
  const percent = covered === 0 ? 100 : (100 * (covered - lacking)) / covered;
  if (percent >= minimumPercent) return lacking;
  const [outcome, stored] = isDryRun
    ? ["nothing would be removed", "that would be stored"]
    : ["everything was loaded, but nothing was removed", "that are stored"];
  throw new CommandError(
    `${outcome}: the edition has only ${percent.toFixed(1)} % of the ` +
      `${covered} records ${stored}, its own included; at least ${minimumPercent} % are required (COMPLETE_MIN_PERCENT). ` +
      "Download the edition again, or, if it is correct, run the same load with --force",
  );
}

/** About how many records of the edition's kinds are stored. */
export async function countStored({ stores }: LoadRun, { completeness }: WholeEdition): Promise<number> {
  const collections = completeness.records.map(({ collection }) => collection);
  const sizes = await stores.mongo.health.fetchSizes(collections);
  return [...sizes.values()].reduce((sum, size) => sum + size.records, 0);
}

/** Adds the stored records that the edition should hold to `ids`; returns how many they are. */
async function holdCovered(
  { stores, watch }: LoadRun,
  edition: WholeEdition,
  { ids, total }: { ids: IdDifference; total: number },
) {
  const { records, members } = edition.completeness;
  const read = ["revision", "told", "update", ...members];
  const doing = "looking for stored records that the edition lacks";
  const { onProgress, end } = watch({ doing, unit: "records", total });
  let [covered, seen] = [0, 0];
  try {
    for (const record of records) {
      for await (const groups of walkGroups(stores.mongo, { record, groupBy: "_id" }, { members: read })) {
        const stored = groups.filter(({ records: [first] }) => first && isCovered(first, edition));
        covered += stored.length;
        for (const { id } of stored) ids.hold({ collection: record.collection, id });
        onProgress((seen += groups.length));
      }
    }
    return covered;
  } finally {
    end();
  }
}

async function removeLacking(
  run: LoadRun,
  edition: WholeEdition,
  { ids, lacking: total }: { ids: IdDifference; lacking: number },
): Promise<number> {
  const doing = "removing records that the edition lacks";
  const { onProgress, end } = run.watch({ doing, unit: "records", total });
  const kinds = edition.completeness.records.map((record) => ({ record, waiting: [] as string[] }));
  let [removed, done, chunks] = [0, 0, 0];
  const remove = async (record: RecordDefinition, chunk: string[]) => {
    const job = `${run.record._id}-retire-${chunks++}`;
    removed += await removeChunk(run, edition, { record, ids: chunk, job });
    onProgress((done += chunk.length));
  };
  try {
    for await (const lacking of ids.lacking()) {
      for (const { record, waiting } of kinds) {
        for (const { collection, id } of lacking) if (collection === record.collection) waiting.push(id);
        while (waiting.length >= BATCH) await remove(record, waiting.splice(0, BATCH));
      }
    }
    for (const { record, waiting } of kinds) if (waiting.length > 0) await remove(record, waiting);
    return removed;
  } finally {
    end();
  }
}

/** States that each record is gone; an older event or edition that is loaded later does not undo that. */
async function removeChunk(
  { stores, record: { _id: load, plan } }: LoadRun,
  edition: WholeEdition,
  { record, ids, job }: { record: RecordDefinition; ids: string[]; job: string },
): Promise<number> {
  const { revision } = plan;
  const at = edition.productionDate ?? "";
  // A record with a higher revision was written by this load, or later.
  const isApplicable = (stored?: RecordOrTombstone) =>
    stored !== undefined && !isTombstone(stored) && stored.revision < revision && isCovered(stored, edition);
  const statements = [{ at, place: revision, gone: true as const }];
  const said = { statements, isUndated: at === "", asOf: edition.context.asOf, isApplicable };
  const incoming = ids.map((id) => ({ id, ...said }));
  const written = await BatchChange.write(stores, { load, job, revision }, record, incoming);
  return written.filter(({ effect }) => effect === "removed").length;
}
