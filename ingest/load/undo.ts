/**
 * Undoes a load: the statements of its rows, of the rows that mend it and of its removals are taken back. Each
 * statement has its place; those of a load are its own.
 * Limit: the oldest two of more than six statements of a record are joined, and stay so. Real officer ids that the
 * load was the first to give stay known.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { beginEdition } from "../history/fingerprints.ts";
import {
  fetchHighestRevision,
  fetchLatestLoads,
  filesOf,
  isUndone,
  reachedBy,
  requireLoad,
  REVISIONS_PER_BATCH,
  withStates,
  writeLoad,
  type LoadedFile,
  type LoadRecord,
} from "../history/loads.ts";
import { BatchChange } from "../log/batch-change.ts";
import { closeLeft } from "../log/changes.ts";
import { waitForSearch } from "../log/follow.ts";
import { walkGroups } from "../projection/groups.ts";
import { countUnderWay } from "../queue/queue-state.ts";
import { findSource, findTable } from "../sources/index.ts";
import { streamingEvents } from "../sources/streaming-events.ts";
import { tableOf } from "../statements/statement.ts";
import type { Written } from "../statements/write.ts";
import { takeBack, takenOf, withoutTaken, type IsTaken } from "../statements/take-back.ts";
import { fillsOf, isSharing, listFormer } from "./former.ts";
import { lockKinds } from "./kind-locks.ts";
import { fetchMenders } from "./mends.ts";
import type { LoadRun } from "./open-file.ts";

type UndoRun = Pick<LoadRun, "context" | "stores">;

interface UndoPlan {
  /** The load, and those that mend it. */
  loads: [LoadRecord, ...LoadRecord[]];
  kinds: RecordDefinition[];
  isTaken: IsTaken;
  /** Files of all loads that are not undone. */
  loaded: LoadedFile[];
}

/** Records that lose statements; `missing`: those that were there and are no longer. */
export interface UndoCounts {
  records: number;
  missing: number;
}

/** Plans the undo of a load; call it with the load's lock held. Throws CommandError where it cannot be undone. */
export async function planUndo({ context, stores }: UndoRun, id: string): Promise<UndoPlan> {
  const { mongo, redis } = stores;
  const load = await requireLoad(mongo.documents, id);
  const menders = await fetchMenders(mongo.documents, [id]);
  const all = await fetchLatestLoads(mongo.documents);
  const loaded = filesOf(all.filter((one) => !isUndone(one)));
  const waiting = await countUnderWay(redis, context.config.QUEUE_PREFIX, id);
  const running = (await withStates(redis, menders)).find(({ state }) => state === "running");
  const reason =
    reasonAgainst(load, loaded) ??
    (running && `load ${running._id}, which mends its rows, is running: wait until it has ended`) ??
    (waiting > 0 && `${waiting} of its batches wait for a worker: run this again once they are written`);
  if (reason) throw new CommandError(`load ${id} cannot be undone: ${reason}`);
  const filled = new Set((load.surveyed ?? []).flatMap(fillsOf));
  const kinds = records.filter(({ collection }) => filled.has(collection));
  return { loads: [load, ...menders], kinds, isTaken: placesOf(load, menders, all), loaded };
}

function reasonAgainst(load: LoadRecord, loaded: readonly LoadedFile[]): string | undefined {
  const { state, plan, surveyed = [] } = load;
  if (state === "undone") return "it was undone before";
  if (plan.mends) return `it mends rows of load ${plan.mends.load}: undo that one, and both are taken back`;
  if (surveyed.length === 0) return "it ended before it wrote anything";
  if (surveyed.some(({ source }) => source === streamingEvents.name))
    return "records do not keep which load an event came in. The next event of the same address replaces it";
  const updates = "Load the latest snapshot with --complete instead";
  if (surveyed.some(({ source }) => findSource(source).isOrdered))
    return `daily updates move records, and what they moved is not kept. ${updates}`;
  const update = loaded.find((file) => findSource(file.source).isOrdered && isSince(file, load, loaded));
  return update && `${update.file}, loaded since the former edition, cannot be loaded again. ${updates}`;
}

/** True for a daily update since the former edition: the load has replaced it, or it has taken over from the load. */
function isSince({ of, ...update }: LoadedFile, load: LoadRecord, loaded: readonly LoadedFile[]): boolean {
  return (load.surveyed ?? []).some((file) => {
    const isFormer = (one: LoadedFile) => one.production_date !== undefined && one.source === file.source;
    const former = loaded.find((one) => isFormer(one) && one.of._id < load._id && isSharing(one, file));
    return isSharing(file, update) && of._id > (former?.of._id ?? "");
  });
}

/** The places of a load's statements. Its batches end below the next load, which may have begun during it. */
function placesOf(load: LoadRecord, menders: readonly LoadRecord[], all: readonly LoadRecord[]): IsTaken {
  const { revision } = load.plan;
  const later = all.flatMap(({ plan }) => (plan.revision > revision ? plan.revision : []));
  const end = Math.min(reachedBy(load) + 1, ...later);
  const single = new Set([
    ...(load.surveyed ?? []).flatMap(({ place }) => place ?? []),
    ...menders.flatMap(({ plan }) => plan.mends?.place ?? []),
  ]);
  const isOfBatch = (place: number) =>
    place >= revision && place < end && (place - revision) % REVISIONS_PER_BATCH === 0;
  return (place) => single.has(place) || isOfBatch(place);
}

/** Counts what the undo would change, and lists the files to load again; writes nothing. */
export async function countTaken({ stores }: UndoRun, { loads, kinds, isTaken, loaded }: UndoPlan) {
  const counts = { records: 0, missing: 0 };
  let isWhole = false;
  for (const record of kinds) {
    for await (const ids of findTaken(stores, record, isTaken)) {
      for (const held of await stores.mongo.records.fetchHeld(record, ids)) {
        const taken = withoutTaken(held, isTaken, { record, revision: held.revision, findTable });
        isWhole ||= takenOf(held, isTaken).some((one) => tableOf(one) === undefined);
        if (taken) add(counts, taken);
      }
    }
  }
  return { ...counts, former: listFormer(loads[0], loaded, isWhole) };
}

function add(counts: UndoCounts, { effect }: Pick<Written, "effect">): void {
  counts.records += 1;
  if (effect === "removed") counts.missing += 1;
}

/** Ids of the records that have such statements, chunk by chunk. */
async function* findTaken({ mongo }: Stores, record: RecordDefinition, isTaken: IsTaken) {
  const how = { members: ["revision", "told"], withGone: true } as const;
  for await (const groups of walkGroups(mongo, { record, groupBy: "_id" }, how)) {
    const found = groups.filter(({ records: [held] }) => held && takenOf(held, isTaken).length > 0);
    if (found.length > 0) yield found.map(({ id }) => id);
  }
}

/**
 * Undoes a load whose lock is held; returns what it changed. Broken off, it continues when it is called again.
 * Throws CommandError once the user has asked to stop.
 */
export async function runUndo(run: UndoRun, id: string): Promise<UndoCounts> {
  const { stores, context } = run;
  const { kinds } = await planUndo(run, id);
  const names = kinds.map(({ collection }) => collection);
  const release = await lockKinds(stores.redis, names, context);
  try {
    // Other loads may have ended meanwhile.
    const plan = await planUndo(run, id);
    await writeStates(stores, plan, { state: "undoing" });
    // The fingerprints of these kinds show what the undo takes back.
    await beginEdition(stores.mongo.documents, [], names);
    const counts = await takeBackAll(run, plan);
    await waitForSearch(stores, jobsOf(id), context.tell);
    await stores.elasticsearch.refresh();
    await writeStates(stores, plan, { state: "undone", undone_at: new Date().toISOString() });
    return counts;
  } finally {
    await release();
  }
}

async function writeStates({ mongo }: Stores, { loads }: UndoPlan, members: Partial<LoadRecord>) {
  // The load last: with it the undo has ended.
  for (const load of [...loads].reverse()) await writeLoad(mongo.documents, { ...load, ...members });
}

/** Under this name an undo enters its changes in the log. */
const jobsOf = (load: string) => `${load}-undo`;

async function takeBackAll({ stores, context }: UndoRun, { loads, kinds, isTaken }: UndoPlan) {
  const { documents } = stores.mongo;
  const load = jobsOf(loads[0]._id);
  const revision = await stores.redis.nextRevision(await fetchHighestRevision(documents));
  const counts = { records: 0, missing: 0 };
  let chunks = 0;
  // Left by a run that was killed.
  await closeLeft(documents, { load });
  for (const record of kinds) {
    for await (const ids of findTaken(stores, record, isTaken)) {
      if (context.isStopping())
        throw new CommandError(
          `stopped after ${counts.records} records; run this again to take back the rest`,
        );
      const job = `${load}-${revision}-${chunks++}`;
      await BatchChange.make(
        stores,
        { load, job, revision, ids: { [record.collection]: ids } },
        async (change) => {
          const onLeave = (held: StoredRecord[]) => change.leave(record, held);
          const written = await takeBack(stores.mongo, record, { ids, isTaken }, { revision, onLeave });
          await change.index(record, written);
          for (const item of written) add(counts, item);
          return undefined;
        },
      );
    }
  }
  return counts;
}
