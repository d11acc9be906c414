/**
 * Undoes a load: takes back what its rows, the rows that mend it and its removals have stated. The place of a statement
 * says which load it came from. If the same file was loaded twice, the place is that of the first load, since rows that
 * change nothing leave no trace; so both loads are undone. A record does not keep statements that later ones have
 * replaced, so former files must be loaded again.
 * Limit: a record with more than six statements has two of them joined, and these stay joined. Real officer ids that
 * the load was the first to give stay known.
 */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { neededIndices } from "../../index-mappings/index.ts";
import {
  fetchKnownLoads,
  filesOf,
  reachedBy,
  requireLoad,
  withStates,
  writeLoad,
  type LoadedFile,
  type LoadFacts,
  type LoadRecord,
  type TakenBack,
} from "../history/loads.ts";
import { drawRevisionOfLoad } from "../history/revisions.ts";
import { BatchChange } from "../log/batch-change.ts";
import { closeUnfinishedChanges } from "../log/changes.ts";
import { waitForSearch } from "../log/log-follower.ts";
import { walkGroups } from "../projection/groups.ts";
import { retryRefused } from "../projection/project.ts";
import { hasWorkers, NO_WORKER, removeBatches, withQueue } from "../queue/queue.ts";
import { removeKeptRows } from "../refused-rows/refused-rows.ts";
import { findSource } from "../sources/index.ts";
import { streamingEvents } from "../sources/streaming-events.ts";
import { statementsOf } from "../statements/absorb.ts";
import type { FullStatement } from "../statements/statement.ts";
import { writeStatements } from "../statements/write.ts";
import { openUnwritten } from "./dry-run.ts";
import { fillsOf, listFormer, contentKeyOf, contentKeysOf } from "./former-files.ts";
import { lockKinds, type KindLocks } from "./kind-locks.ts";
import { fetchMenders } from "./mends.ts";
import type { LoadRun } from "./open-file.ts";

type UndoRun = Pick<LoadRun, "context" | "stores">;
/** A preview holds no locks, so it has no `requireKept`. */
type TakingRun = UndoRun & Partial<Pick<KindLocks, "requireKept">>;

type UndoPlan = Awaited<ReturnType<typeof planUndo>>;

/**
 * Plans the undo of a load, of other loads of the same files (`again`) and of those that mend these loads (`menders`).
 * Call it while holding the load's lock. `former`: the files to load again; `isMended`: some of their rows were mended;
 * `elsewhere`: files of this load that other loads have read together with other files, and so still state. Throws
 * CommandError if the load cannot be undone.
 */
export async function planUndo({ mongo, redis }: Stores, id: string) {
  const load = await requireLoad(mongo.documents, id);
  const loads = await fetchKnownLoads(mongo.documents);
  const { repeats, elsewhere } = findSameFiles(load, loads);
  const again = await Promise.all(repeats.map(({ _id }) => requireLoad(mongo.documents, _id)));
  const menders = await fetchMenders(mongo.documents, [id, ...again.map(({ _id }) => _id)], loads);
  const former = listFormer(load, loads);
  const running = (await withStates(redis, [...again, ...menders])).find(({ state }) => state === "running");
  // An undo that has begun can always be finished.
  const reason =
    (load.state === "undone" ? undefined : reasonAgainst(load, former)) ??
    (running && `load ${running._id}, which is undone with it, is running: wait until it has ended`);
  if (reason) throw new CommandError(`load ${id} cannot be undone: ${reason}`);
  const filled = (load.surveyed ?? []).flatMap(fillsOf);
  const kinds = records.filter(({ collection }) => filled.includes(collection));
  const isMended = former.some(({ of }) => loads.some(({ plan }) => plan.mends?.load === of._id));
  const isUndone = isOf([load, ...again], menders);
  return { load, again, menders, kinds, isUndone, former, isMended, elsewhere };
}

/**
 * `repeats`: other loads that have read only files of this one. `elsewhere`: files of this load that loads with further
 * files have read. Both are empty once the undo has ended.
 */
function findSameFiles(load: LoadRecord, known: readonly LoadFacts[]) {
  // Files that were loaded after the undo are there on purpose.
  if (load.undone_at !== undefined) return { repeats: [], elsewhere: [] };
  const own = new Set(contentKeysOf(load));
  const others = known.filter(
    ({ _id, plan, state, undone_at }) =>
      _id !== load._id && !plan.mends && (state !== "undone" || undone_at === undefined),
  );
  const sharing = others.filter((other) => contentKeysOf(other).some((reading) => own.has(reading)));
  const isRepeat = (other: LoadFacts) => contentKeysOf(other).every((reading) => own.has(reading));
  const elsewhere = filesOf(sharing.filter((other) => !isRepeat(other)));
  return {
    repeats: sharing.filter(isRepeat),
    elsewhere: elsewhere.filter((file) => own.has(contentKeyOf(file, file.of.plan) ?? "")),
  };
}

function reasonAgainst({ plan, surveyed = [] }: LoadRecord, former: readonly LoadedFile[]) {
  if (plan.mends)
    return `it mends rows of load ${plan.mends.load}: undo that load, and this one is undone with it`;
  if (surveyed.length === 0) return "it ended before it wrote anything";
  if (surveyed.some(({ source }) => source === streamingEvents.name))
    return "records do not store which load an event came in. The next event of the same address replaces it";
  const instead = "Load the latest snapshot with --complete instead";
  if (surveyed.some(({ source }) => findSource(source).isOrdered))
    return `daily updates move records, and where these were before is not stored. ${instead}`;
  const update = former.find(({ source }) => findSource(source).isOrdered);
  return update && `${update.file}, loaded since the former edition, cannot be loaded again. ${instead}`;
}

/** Returns a function that is true for statements of these loads, by their places. Events have no place. */
function isOf(loads: readonly LoadRecord[], menders: readonly LoadRecord[]) {
  const ranges = loads.map((load) => ({ first: load.plan.revision, end: reachedBy(load) }));
  const mended = new Set(menders.map(({ plan }) => plan.mends?.place));
  return ({ place = -1 }: FullStatement) =>
    mended.has(place) || ranges.some(({ first, end }) => place >= first && place <= end);
}

/**
 * Undoes a load; call it while holding the load's lock. After an interruption, call it again to undo the rest.
 * Throws CommandError once the user has asked to stop.
 */
export async function runUndo(run: UndoRun, id: string) {
  const { stores, context } = run;
  const { documents } = stores.mongo;
  const { kinds } = await planUndo(stores, id);
  const collections = kinds.map(({ collection }) => collection);
  const { requireKept, release } = await lockKinds(stores.redis, collections, context);
  try {
    // Other loads may have ended while it waited.
    const plan = await planUndo(stores, id);
    await endBatches(run, plan);
    // From now on the load counts as never loaded, even if the undo is interrupted.
    const all = [...plan.menders, ...plan.again, plan.load];
    const undone = all.map((load) => ({ ...load, state: "undone" as const }));
    for (const load of undone) await writeLoad(documents, load);
    // Stored so that an undo that is continued can report the total.
    const keep = (taken: TakenBack) => writeLoad(documents, { ...plan.load, state: "undone", taken });
    const taken = await takeBack({ ...run, requireKept }, plan, keep);
    await requireKept();
    // An earlier try may have failed because Elasticsearch rejected changes. Workers do not try these again.
    await retryRefused(stores);
    await waitForSearch(stores, `${id}-undo`, context);
    await stores.elasticsearch.refresh(neededIndices);
    // Refused rows of an undone load can no longer be mended.
    for (const { _id } of undone) await removeKeptRows(documents, _id);
    const undone_at = new Date().toISOString();
    for (const load of undone) await writeLoad(documents, { ...load, undone_at });
    return { ...plan, ...taken };
  } finally {
    await release();
  }
}

/** Removes batches that a killed or failed load left in the queue. Throws CommandError if workers are writing some. */
function endBatches(
  { stores: { redis }, context }: UndoRun,
  { load, again, menders }: UndoPlan,
): Promise<void> {
  return withQueue(redis, context.config.QUEUE_PREFIX, async (queue) => {
    for (const { _id } of [load, ...again, ...menders]) {
      if ((await removeBatches(redis, queue, _id)) === 0) continue;
      if (!(await hasWorkers(redis, queue)))
        throw new CommandError(`${NO_WORKER}, then run this again in a minute`);
      throw new CommandError(`workers are still writing rows of load ${_id}: run this again in a minute`);
    }
  });
}

/**
 * Takes the statements back, and calls `keep` with the counts so far; without `keep` it only counts. `missing`: records
 * that are left without any data. The counts include what an interrupted run of the undo has already taken back.
 */
export async function takeBack(
  { stores, context, requireKept }: TakingRun,
  { load: { _id, taken, undone_at }, kinds, isUndone }: UndoPlan,
  keep?: (taken: TakenBack) => Promise<void>,
): Promise<TakenBack> {
  const { documents } = stores.mongo;
  const load = `${_id}-undo`;
  const revision = keep ? await drawRevisionOfLoad(stores) : 0;
  const unwritten = openUnwritten(stores.mongo, new Set());
  const counts = { records: 0, missing: 0, ...(undone_at === undefined && taken) };
  // Changes that a killed undo left open.
  if (keep) await closeUnfinishedChanges(documents, { load });
  const isApplicable = (stored?: RecordOrTombstone) => statementsOf(stored).some(isUndone);
  const how = { members: ["revision", "told"], withGone: true } as const;
  for (const record of kinds) {
    for await (const groups of walkGroups(stores.mongo, { record, groupBy: "_id" }, how)) {
      if (context.isStopping()) throw new CommandError("stopped; run this again to undo the rest");
      const having = groups.filter(({ records: [stored] }) => isApplicable(stored));
      const incoming = having.map(({ id }) => ({ id, statements: [], isUndone, isApplicable }));
      const [first] = incoming;
      if (!first) continue;
      await requireKept?.();
      const fresh = { load, job: `${load}-${revision}-${record.collection}-${first.id}`, revision };
      const written = keep
        ? await BatchChange.write(stores, fresh, record, incoming)
        : await writeStatements(unwritten, record, incoming, { revision });
      counts.records += written.length;
      counts.missing += written.filter(({ effect }) => effect === "removed").length;
      await keep?.(counts);
    }
  }
  return counts;
}
