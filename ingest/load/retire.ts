/** Removes the records that a whole edition no longer contains (`--complete`), once all of it is loaded. */
import { CommandError, NeedsForceError } from "../../api/shared/runtime/errors.ts";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
  type StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import { resumeCommand } from "../history/loads.ts";
import { BatchChange } from "../log/batch-change.ts";
import { fetchBatches, readChanges, type Ids } from "../log/changes.ts";
import { walkGroups } from "../projection/groups.ts";
import { isStatedSince } from "../statements/statement.ts";
import { countRows, type WholeEdition } from "./editions.ts";
import { IdSet } from "./id-set.ts";
import type { KindLocks } from "./kind-locks.ts";
import { countUnmended, fetchMenders } from "./mends.ts";
import type { LoadRun } from "./open-file.ts";

type RemovingRun = LoadRun & Pick<KindLocks, "requireKept">;

const BATCH = 500;
// Limit: how many ids of records to remove are held in memory. If there are more, the stored records are read again.
const MOST_HELD = 1_000_000;

/**
 * Removes the records that neither this load nor a load that mends it has named, unless something newer changed them.
 * Counts them in the load's record. Removes nothing and throws CommandError if rows were refused or the edition is too
 * small.
 */
export async function retireLacking(run: RemovingRun, edition: WholeEdition): Promise<void> {
  const { record } = run;
  const { documents } = run.stores.mongo;
  const { counts } = record;
  const menders = await fetchMenders(documents, [record._id]);
  const refused = Math.min(counts.refused, await countUnmended(documents, record, menders));
  // Mended rows were written by the loads that mended them, so they count as unchanged here.
  record.counts = { ...counts, refused, unchanged: counts.unchanged + counts.refused - refused };
  guardRefused(run);
  // Each row names at most one record.
  const ids = new IdSet(countRows([record, ...menders].flatMap(({ surveyed = [] }) => surveyed)));
  for (const { _id } of [record, ...menders])
    for await (const batch of readChanges(documents, await fetchBatches(documents, _id), ["ids"]))
      addIds(ids, batch.ids);
  let found = await findLacking(run, edition, ids);
  guardShare(run, found);
  // Records beyond the limit of held ids are found again once these are removed.
  while ((await removeLacking(run, edition, found)) > 0 && found.held >= MOST_HELD)
    found = await findLacking(run, edition, ids);
}

/** Adds the ids that rows name. */
export function addIds(ids: IdSet, named: Ids): void {
  for (const [collection, some] of Object.entries(named)) for (const id of some) ids.add(collection, id);
}

/** Throws CommandError if refused rows are not mended, unless forced: it is unknown which records they name. */
export function guardRefused({ isForced, isDryRun, record }: LoadRun): void {
  const { _id: load, counts } = record;
  if (counts.refused === 0 || isForced) return;
  const refused = formatNumber(counts.refused, "row");
  const why = "records in refused rows would look missing";
  const anyway = resumeCommand(record, true);
  const way = anyway
    ? `Run npm run cli -- refused-rows export ${load} --out FILE, mend the rows, then run load FILE --mends ${load} and ` +
      `load --resume ${load}. Or load a corrected edition, or remove what this one lacks anyway: ${anyway}`
    : "Load a corrected edition, or use --force";
  throw new CommandError(
    isDryRun
      ? `nothing would be removed, since ${refused} would be refused: ${why}. Correct the edition, or use --force`
      : `${refused} ${counts.refused === 1 ? "was" : "were"} refused; the others were loaded. Nothing was removed, because ${why}. ${way}`,
  );
}

/** True for a record that the edition should hold: one of its kind that nothing newer states. */
export function isCovered(stored: StoredRecord, edition: WholeEdition): boolean {
  const { completeness, context, productionDate: day } = edition;
  const isOfLater = day !== undefined && stored.told?.some(({ at }) => at.slice(0, day.length) > day);
  return completeness.covers(stored, context) && !isOfLater && !isStatedSince(stored, day);
}

/** Throws CommandError if the edition lacks too many of the records that it should hold, unless forced. */
export function guardShare(
  { context, record, isForced, isDryRun }: LoadRun,
  { covered, lacking }: Pick<Lacking, "covered" | "lacking">,
): void {
  const minimumPercent = isForced ? 0 : context.config.COMPLETE_MIN_PERCENT;
  const percent = covered === 0 ? 100 : (100 * (covered - lacking)) / covered;
  if (percent >= minimumPercent) return;
  const [outcome, stored] = isDryRun
    ? ["nothing would be removed", "would then be stored"]
    : ["everything was loaded, but nothing was removed", "are stored now"];
  const anyway = resumeCommand(record, true) ?? "the same load with --force";
  throw new NeedsForceError(
    `${outcome}: the edition has only ${percent.toFixed(1)} % of the ` +
      `${formatCount(covered)} records that it should have (those that ${stored}, its own included); at least ${minimumPercent} % are required (COMPLETE_MIN_PERCENT). ` +
      `Download the edition again, or, if it is correct, run ${anyway}`,
  );
}

/** Stored records that the edition lacks. */
interface Lacking {
  /** How many stored records the edition should contain. */
  covered: number;
  /** How many of these it does not name. */
  lacking: number;
  /** How many ids are in `kinds`: those of the first lacking records that no later load has written. */
  held: number;
  kinds: { record: RecordDefinition; ids: string[] }[];
}

/** Finds the stored records that the edition should contain and that no row names. */
export async function findLacking(run: LoadRun, edition: WholeEdition, named: IdSet): Promise<Lacking> {
  const { stores, watch, record: load } = run;
  const { records, members } = edition.completeness;
  const read = ["revision", "told", "update", ...members];
  const doing = "looking for stored records that the edition lacks";
  const { onProgress, end } = watch({ doing, unit: "records", total: await countStored(run, edition) });
  const kinds = records.map((record) => ({ record, ids: [] as string[] }));
  let [covered, lacking, held, seen] = [0, 0, 0, 0];
  try {
    for (const { record, ids } of kinds) {
      for await (const groups of walkGroups(stores.mongo, { record, groupBy: "_id" }, { members: read })) {
        const stored = groups.flatMap(({ records: [first] }) =>
          first && isCovered(first, edition) ? first : [],
        );
        const unnamed = stored.filter(({ _id }) => !named.has(record.collection, _id));
        covered += stored.length;
        lacking += unnamed.length;
        if (held < MOST_HELD) {
          const found = unnamed.filter(({ revision }) => revision < load.plan.revision);
          held += found.length;
          ids.push(...found.map(({ _id }) => _id));
        }
        onProgress((seen += groups.length));
      }
    }
    return { covered, lacking, held, kinds };
  } finally {
    end();
  }
}

/** About how many records of the edition's kinds are stored. */
async function countStored({ stores }: LoadRun, { completeness }: WholeEdition): Promise<number> {
  const collections = completeness.records.map(({ collection }) => collection);
  const sizes = await stores.mongo.health.fetchSizes(collections);
  return [...sizes.values()].reduce((sum, size) => sum + size.records, 0);
}

/** Removes the held records, unless they have changed since; returns how many were removed. */
async function removeLacking(
  run: RemovingRun,
  edition: WholeEdition,
  { held: total, kinds }: Lacking,
): Promise<number> {
  const doing = "removing records that the edition lacks";
  const { onProgress, end } = run.watch({ doing, unit: "records", total });
  // A resumed load goes on counting where its earlier run stopped.
  const before = (run.record.retired ??= 0);
  let [removed, done] = [0, 0];
  try {
    for (const { record, ids } of kinds) {
      for (let at = 0; at < ids.length; at += BATCH) {
        const chunk = ids.slice(at, at + BATCH);
        if (run.context.isStopping())
          throw new CommandError("stopped; some records that the edition lacks are not removed yet");
        await run.requireKept();
        removed += await removeChunk(run, edition, record, chunk);
        run.record.retired = before + removed;
        onProgress((done += chunk.length));
      }
    }
    return removed;
  } finally {
    end();
  }
}

/** States that each record is gone, so that an older event or edition that is loaded later does not bring it back. */
async function removeChunk(
  { stores, record: { _id: load, plan } }: LoadRun,
  edition: WholeEdition,
  record: RecordDefinition,
  ids: string[],
): Promise<number> {
  const { revision } = plan;
  const job = `${load}-retire-${record.collection}-${ids[0] ?? ""}`;
  const at = edition.productionDate ?? "";
  // A record with a higher revision was written by this load, or later.
  const isApplicable = (stored?: RecordOrTombstone) =>
    stored !== undefined && !isTombstone(stored) && stored.revision < revision && isCovered(stored, edition);
  const statements = [{ at, place: revision, gone: true as const }];
  const removal = { statements, isUndated: at === "", asOf: edition.context.asOf, isApplicable };
  const incoming = ids.map((id) => ({ id, ...removal }));
  const written = await BatchChange.write(stores, { load, job, revision }, record, incoming);
  return written.filter(({ effect }) => effect === "removed").length;
}
