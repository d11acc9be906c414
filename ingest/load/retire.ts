/**
 * Owns the removal of what a whole edition no longer holds (`--complete`), after all of it has been loaded.
 *
 * The guard compares the edition with what is there when it would remove, what the edition itself has brought included:
 * an edition that is smaller than a set share of that removes nothing.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { isGone } from "../../api/core/gone.ts";
import { BatchChange } from "../log/batch-change.ts";
import { readNamed } from "../log/changes.ts";
import { walkGroups } from "../projection/walk-groups.ts";
import { writeStatements } from "../statements/write.ts";
import { isToldSince } from "../statements/stored.ts";
import type { WholeEdition } from "./completeness.ts";
import { IdDifference } from "./id-difference.ts";

/** What an edition says by what it lacks. */
export interface Retirement extends WholeEdition {
  /** The load's first revision: what has a higher one was written by it or later. */
  revision: number;
  /** Least share of what the edition covers that it must hold, in per cent; 0 lifts the guard. */
  minimumPercent: number;
}

// Records removed at once.
const BATCH = 500;

/**
 * Removes the records of the edition's kinds that no row named, of its load (the first) and of those that mend it; returns how many. What an event of its day or later,
 * or another load, has told since stays. Throws CommandError, with nothing removed, when so much is lacking that the
 * edition can hardly be whole.
 */
export async function retire(
  stores: Stores,
  loads: readonly string[],
  retirement: Retirement,
): Promise<number> {
  const ids = await IdDifference.open();
  try {
    for (const load of loads)
      for await (const named of readNamed(stores.mongo.documents, load)) ids.name(named.ids);
    guardShare(await fetchCoverage(stores, ids, retirement), retirement.minimumPercent);
    return await removeLacking(stores, ids, { load: loads[0] ?? "", retirement });
  } finally {
    await ids.remove();
  }
}

/**
 * Throws CommandError when rows were refused and are not mended, for what they hold is not named. One that was discarded,
 * or loaded without `--mends`, is still one that the load does not know. `load` is null in a dry run.
 */
export function guardRefused(refused: number, load: string | null): void {
  if (refused === 0) return;
  const why = "what those rows hold would be taken for lacking";
  throw new CommandError(
    load === null
      ? `nothing would be removed: ${refused} rows would be refused, and ${why}. Mend them, or use --force`
      : `everything but ${refused} refused rows was loaded, and nothing was removed: ${why}. When ` +
          `they are mended (npm run cli -- dead-letters export ${load}, then load FILE --mends ${load}), go on with ` +
          `load --resume ${load}; or load a mended edition; or go on with --force`,
  );
}

/** How much of what is there an edition holds. */
export interface Coverage {
  /** Records that it should hold. */
  covered: number;
  /** Of them those that it does not name, and that would be removed. */
  lacking: number;
}

/** Compares the names that an edition's rows have given to `ids` with what is there; `ids` then holds what it lacks. */
export async function fetchCoverage(
  stores: Pick<Stores, "mongo">,
  ids: IdDifference,
  edition: WholeEdition,
): Promise<Coverage> {
  let covered = 0;
  for (const record of edition.completeness.records)
    covered += await holdCovered(stores, record, ids, edition);
  return { covered, lacking: await ids.countLacking() };
}

/** Adds the records that the edition should hold to those that are held; returns how many there are. */
async function holdCovered(
  { mongo }: Pick<Stores, "mongo">,
  record: RecordDefinition,
  ids: IdDifference,
  edition: WholeEdition,
): Promise<number> {
  const { collection } = record;
  const members = ["revision", "told", "update", ...edition.completeness.members];
  let covered = 0;
  for await (const records of walkGroups(mongo, { record, groupBy: "_id" }, { members })) {
    for (const {
      id,
      records: [held],
    } of records) {
      if (!held || !isCovered(held, edition)) continue;
      covered += 1;
      ids.hold({ collection, id });
    }
  }
  return covered;
}

/** What the edition should hold: its kind, and nobody has told anything newer of it. */
export function isCovered(
  held: StoredRecord,
  { completeness, context, productionDate }: WholeEdition,
): boolean {
  return completeness.covers(held, context) && !isToldSince(held, productionDate);
}

/** Throws CommandError when the edition holds less than this share of what it should. */
export function guardShare(
  { covered, lacking, isDryRun = false }: Coverage & { isDryRun?: boolean },
  minimumPercent: number,
): void {
  const percent = covered === 0 ? 100 : (100 * (covered - lacking)) / covered;
  if (percent >= minimumPercent) return;
  const outcome = isDryRun ? "nothing would be removed" : "everything was loaded, but nothing was removed";
  const those = isDryRun ? "that would be there" : "that are there";
  throw new CommandError(
    `${outcome}: the edition holds only ${percent.toFixed(1)} % of the ` +
      `${covered} records ${those}, its own included, and ${minimumPercent} % is the least (COMPLETE_MIN_PERCENT). ` +
      "Get the edition again, or, when it is as it should be, run the same load with --force",
  );
}

async function removeLacking(
  stores: Stores,
  ids: IdDifference,
  origin: { load: string; retirement: Retirement },
): Promise<number> {
  const waiting = new Map(origin.retirement.completeness.records.map((record) => [record, [] as string[]]));
  const byCollection = new Map([...waiting.keys()].map((record) => [record.collection, record]));
  let removed = 0;
  let number = 0;
  const remove = async (record: RecordDefinition, chunk: string[]) => {
    const jobId = `${origin.load}-retire-${number}`;
    number += 1;
    removed += await removeChunk(stores, record, chunk, { ...origin, jobId });
  };
  for await (const records of ids.lacking()) {
    for (const { collection, id } of records) {
      const record = byCollection.get(collection);
      const chunk = record && waiting.get(record);
      if (!chunk) continue;
      chunk.push(id);
      if (chunk.length === BATCH) await remove(record, chunk.splice(0));
    }
  }
  for (const [record, chunk] of waiting) if (chunk.length > 0) await remove(record, chunk);
  return removed;
}

/** Of each record it is stated that it is gone, which an older event or edition that comes later does not undo. */
async function removeChunk(
  stores: Stores,
  record: RecordDefinition,
  ids: string[],
  { load, jobId, retirement }: { load: string; jobId: string; retirement: Retirement },
): Promise<number> {
  const { revision, productionDate: at = "" } = retirement;
  const isMeant = (held: HeldRecord | undefined) =>
    held !== undefined && !isGone(held) && held.revision < revision && isCovered(held, retirement);
  const incoming = ids.map((id) => {
    const statements = [{ at, place: revision, gone: true as const }];
    return { id, statements, isUndated: at === "", isMeant };
  });
  let removed = 0;
  const fresh = { load, job: jobId, ids: { [record.collection]: ids } };
  await BatchChange.make(stores, fresh, async (change) => {
    const onLeave = (held: StoredRecord[]) => change.leave(record, held);
    const written = await writeStatements(stores.mongo, record, incoming, { revision, onLeave });
    await change.index(record, written);
    removed = written.filter(({ effect }) => effect === "removed").length;
    return undefined;
  });
  return removed;
}
