/**
 * Undoes a load: takes back what its rows, the rows that mend it and its removals have stated. The place of a
 * statement says which load it came in. A record keeps no statement that a later one has replaced: former files are to be
 * loaded again.
 * Limit: of more than six statements of a record two are joined, and stay so. Real officer ids that the
 * load was the first to give stay known.
 */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { RecordOrTombstone } from "../../api/shared/definitions/define-record.ts";
import { records } from "../../api/resources/index.ts";
import { neededIndices } from "../../index-mappings/index.ts";
import {
  fetchKnownLoads,
  filesOf,
  isOverlapping,
  reachedBy,
  requireLoad,
  REVISIONS_PER_BATCH,
  withStates,
  writeLoad,
  type LoadedFile,
  type LoadFacts,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { drawRevisionOfLoad } from "../history/revisions.ts";
import { BatchChange } from "../log/batch-change.ts";
import { closeLeft } from "../log/changes.ts";
import { waitForSearch } from "../log/follow.ts";
import { walkGroups } from "../projection/groups.ts";
import { retryRefused } from "../projection/project.ts";
import { countWorkers, NO_WORKER, removeBatches, withQueue } from "../queue/queue.ts";
import { removeKeptRows } from "../refused-rows/refused-rows.ts";
import { findSource } from "../sources/index.ts";
import { streamingEvents } from "../sources/streaming-events.ts";
import { statementsOf } from "../statements/absorb.ts";
import type { FullStatement } from "../statements/statement.ts";
import { writeStatements } from "../statements/write.ts";
import { openUnwritten } from "./dry-run.ts";
import { lockKinds, type KindLocks } from "./kind-locks.ts";
import { fetchMenders } from "./mends.ts";
import type { LoadRun } from "./open-file.ts";

type UndoRun = Pick<LoadRun, "context" | "stores">;
/** With nothing to keep where nothing is written. */
type TakingRun = UndoRun & Partial<Pick<KindLocks, "requireKept">>;

type UndoPlan = Awaited<ReturnType<typeof planUndo>>;

/**
 * Plans the undo of a load whose lock is held, and of the loads that mend it; `former`: the files to load again,
 * `isMended`: with rows that were mended.
 * Throws CommandError if it cannot be undone.
 */
export async function planUndo({ mongo, redis }: Stores, id: string) {
  const load = await requireLoad(mongo.documents, id);
  const loads = await fetchKnownLoads(mongo.documents);
  const menders = await fetchMenders(mongo.documents, id, loads);
  const former = listFormer(load, loads);
  const running = (await withStates(redis, menders)).find(({ state }) => state === "running");
  // An undo that has begun can always be finished.
  const reason =
    (load.state === "undone" ? undefined : reasonAgainst(load, former)) ??
    (running && `load ${running._id}, which mends its rows, is running: wait until it has ended`);
  if (reason) throw new CommandError(`load ${id} cannot be undone: ${reason}`);
  const filled = (load.surveyed ?? []).flatMap(fillsOf);
  const kinds = records.filter(({ collection }) => filled.includes(collection));
  const isMended = former.some(({ of }) => loads.some(({ plan }) => plan.mends?.load === of._id));
  return { load, menders, kinds, isUndone: isOf(load, menders), former, isMended };
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

/** True for statements of a load, by their places. Events, which `follow` writes, have none. */
function isOf(load: LoadRecord, menders: readonly LoadRecord[]) {
  const { revision } = load.plan;
  const end = reachedBy(load);
  const mended = new Set(menders.map(({ plan }) => plan.mends?.place));
  return ({ place = -1 }: FullStatement) =>
    mended.has(place) ||
    (place >= revision && place <= end && (place - revision) % REVISIONS_PER_BATCH === 0);
}

/**
 * Undoes a load whose lock is held. Called again, it undoes the rest.
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
    // From now on the load counts as not loaded, whatever happens to the undo.
    const undone = [...plan.menders, plan.load].map((load) => ({ ...load, state: "undone" as const }));
    for (const load of undone) await writeLoad(documents, load);
    const counts = await takeBack({ ...run, requireKept }, plan, false);
    await requireKept();
    // Changes of an undo that has failed here before; the workers do not try these again.
    await retryRefused(stores);
    await waitForSearch(stores, `${id}-undo`, context);
    await stores.elasticsearch.refresh(neededIndices);
    // They can no longer be mended.
    for (const { _id } of undone) await removeKeptRows(documents, _id);
    const undone_at = new Date().toISOString();
    for (const load of undone) await writeLoad(documents, { ...load, undone_at });
    return { ...counts, former: plan.former, isMended: plan.isMended };
  } finally {
    await release();
  }
}

/** Removes the batches that a killed or failed load left in the queue. Throws CommandError if workers are writing some. */
async function endBatches(
  { stores: { redis }, context }: UndoRun,
  { load, menders }: UndoPlan,
): Promise<void> {
  const prefix = context.config.QUEUE_PREFIX;
  for (const { _id } of [load, ...menders]) {
    const held = await withQueue(redis, prefix, (queue) => removeBatches(redis, queue, _id));
    if (held === 0) continue;
    if ((await countWorkers(redis, prefix).catch(() => 1)) === 0)
      throw new CommandError(`${NO_WORKER}, then run this again in a minute`);
    throw new CommandError(`workers are still writing rows of load ${_id}: run this again in a minute`);
  }
}

/** Takes the statements back; with `isDryRun` it only counts. `missing`: records that are gone then. */
export async function takeBack(
  { stores, context, requireKept }: TakingRun,
  { load: { _id }, kinds, isUndone }: UndoPlan,
  isDryRun: boolean,
) {
  const { documents } = stores.mongo;
  const load = `${_id}-undo`;
  const revision = isDryRun ? 0 : await drawRevisionOfLoad(stores);
  const unwritten = openUnwritten(stores.mongo, new Set());
  const counts = { records: 0, missing: 0 };
  // Changes that a killed undo left open.
  if (!isDryRun) await closeLeft(documents, { load });
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
      const written = isDryRun
        ? await writeStatements(unwritten, record, incoming, { revision, onReplace: () => Promise.resolve() })
        : await BatchChange.write(stores, fresh, record, incoming);
      counts.records += written.length;
      counts.missing += written.filter(({ effect }) => effect === "removed").length;
    }
  }
  return counts;
}

/** The collections that a file fills; all for a stream, whose rows may be of any kind. */
function fillsOf({ source, fills }: SurveyedFile): readonly string[] {
  const { fills: kinds } = findSource(source);
  return fills ?? (typeof kinds === "function" ? records : kinds).map(({ collection }) => collection);
}

const STANDARD_INPUT = "-";
// After all days.
const ANY_DAY = "~";

/**
 * The files of other loads with records of the same kinds, oldest first; each source's from its last complete edition on.
 * A file without a day counts, loaded again, as later than the editions of its time: those that were loaded after it follow,
 * whichever of its kinds they fill.
 * Limits: so does an event of its time, which is not loaded again; values of it that a complete edition before the last one
 * removed come back with a record that the last one has.
 */
export function listFormer({ _id, surveyed = [] }: LoadRecord, latestFirst: readonly LoadFacts[]) {
  // Kinds, and the latest day of the files of each that are loaded again.
  const kinds = new Map(surveyed.flatMap(fillsOf).map((kind) => [kind, ANY_DAY]));
  const others = filesOf(latestFirst.toReversed()).filter((file) => {
    const { of, mends, production_date: day = "" } = file;
    const fills = fillsOf(file);
    const untilOf = (kind: string) => kinds.get(kind) ?? "";
    const isEarlierEdition = fills.some((kind) => kinds.has(kind) && day <= untilOf(kind));
    if (of._id === _id || mends !== undefined || !isEarlierEdition) return false;
    for (const kind of isUndated(file) ? fills : [])
      if (untilOf(kind) < of.started_at) kinds.set(kind, of.started_at);
    return true;
  });
  return others.filter((file) => !others.some((later) => isReplacing(later, file)));
}

/** True when a file is a later load of the other one, or part of a later complete edition of no earlier day. */
function isReplacing(later: LoadedFile, earlier: LoadedFile): boolean {
  const { of, source, path, scope, part, production_date: day = "" } = earlier;
  if (later.of._id <= of._id) return false;
  const isSame = later.source === source;
  if (!isRemoving(later.of)) return isSame && later.path === path && !isRemoving(of);
  const kinds = fillsOf(earlier);
  const isOfKind = fillsOf(later).some((kind) => kinds.includes(kind));
  if (!isOfKind || (later.production_date ?? ANY_DAY) < day) return false;
  if (findSource(source).isOrdered) return !findSource(later.source).isOrdered;
  return isSame && (later.scope ?? scope) === scope && later.part?.product === part?.product;
}

/** True where rows count as of their load. Events have moments of their own. */
function isUndated({ source, production_date: day }: LoadedFile): boolean {
  return day === undefined && source !== streamingEvents.name;
}

function isRemoving({ plan, state }: Pick<LoadRecord, "plan" | "state">): boolean {
  return plan.isComplete && state === "succeeded";
}

/** The name of a file as a word of a shell's command line, which no program takes for an option. */
function quote(file: string): string {
  const name = file.startsWith("-") ? `./${file}` : file;
  return /[^\w./:-]/.test(name) ? `'${name.replaceAll("'", String.raw`'\''`)}'` : name;
}

/** True for standard input, and for streams that were followed. */
function isGone({ of, path }: LoadedFile): boolean {
  return path === STANDARD_INPUT || of.plan.isFollowing === true;
}

/** The files that cannot be loaded again, and their loads. */
export function listGone(former: readonly LoadedFile[]): string[] {
  return former
    .filter(isGone)
    .map(({ of, path, file }) => `${path === STANDARD_INPUT ? file : path} (load ${of._id})`);
}

/** The commands that load these files again as they were loaded, less those that are gone. */
export function commandsFor(listed: readonly LoadedFile[]): string[] {
  const former = listed.filter((file) => !isGone(file));
  const loads = [...new Set(former.map(({ of }) => of))];
  return loads.map((of) => {
    const { as, encoding, isUnchecked, asOf = of.started_at } = of.plan;
    const files = former.filter((file) => file.of === of);
    const names = new Set(files.map(({ path }) => quote(path)));
    const options = [
      as !== undefined && `--as ${as}`,
      encoding !== "utf-8" && `--encoding ${encoding}`,
      isUnchecked && "--unchecked",
      files.some(isUndated) && `--as-of ${asOf}`,
      isRemoving(of) && "--complete",
      files.some((file) => former.some((other) => isOlder(file, other))) && "--force",
    ];
    return ["npm run cli -- load", ...names, ...options.filter(Boolean)].join(" ");
  });
}

function isOlder({ source, scope, production_date: day = ANY_DAY }: LoadedFile, other: LoadedFile): boolean {
  return source === other.source && isOverlapping(scope, other.scope) && day < (other.production_date ?? "");
}
