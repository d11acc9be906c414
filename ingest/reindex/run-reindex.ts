/** Reindexes: builds new indices from MongoDB beside the live ones, checks them, makes them live. */
import { formatBytes, formatCount } from "../../api/shared/runtime/format.ts";
import { fetchLive } from "../../api/shared/stores/collections/positions.ts";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  BuildGoneError,
  CommandError,
  messageOf,
  RefusedDocumentError,
  UnavailableError,
} from "../../api/shared/runtime/errors.ts";
import type { IndexWrite } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { nextOf, type IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { wordsIndex } from "../../index-mappings/words/index.ts";
import { NAMES_VERSION } from "../../index-mappings/names/mapping.ts";
import { drawRevision } from "../history/revisions.ts";
import { addBuild } from "../log/followers.ts";
import { isOfOneRecord } from "../projection/groups.ts";
import { toContent } from "../projection/documents.ts";
import { guardStop, StoppedError, walkWatched } from "../verify/observer.ts";
import { checkIndex } from "./check.ts";
import {
  catchUp,
  discardBuild,
  requireIndexSet,
  RESUME_HINT,
  makeLive,
  type OneIndex,
  type ReindexRun,
  type IndexSet,
} from "./index-set.ts";

// Tuned: 4 requests of 2 MB keep a node busy. With fewer it waits for the scan; more only use more memory.
const WRITES_UNDER_WAY = 4;
const WRITE_BYTES = 2_000_000;
// The largest new index needs, beyond its size, its size again while its segments are merged, and a fifth more.
const MERGE_FACTOR = 1.2;
// Longest wait for the configured copies: a whole register is copied in minutes.
const COPIES_MS = 30 * 60_000;
const COPIES_LOOK_MS = 10_000;
const MERGE_LOOK_MS = 250;

/**
 * Builds and checks all indices, then makes them live one after the other, and yields the outcome of each. They go live
 * together because, after the first one, a release with other name rules answers no search. All builds begin before the
 * first is filled. `isResumed`: continues interrupted builds, which are removed otherwise. Throws CommandError or
 * CheckError, with the live index untouched.
 */
export async function* runReindex(
  runs: readonly ReindexRun[],
  isResumed: boolean,
): AsyncGenerator<ReindexOutcome, undefined> {
  const planned: Planned[] = [];
  for (const run of runs) {
    const standing = await requireIndexSet(run);
    planned.push({ run, name: isResumed ? requireInterrupted(run.index, standing) : undefined });
  }
  if (!isResumed) await requireDiskSpace(runs);
  const built = [];
  for (const build of await beginAll(planned)) built.push(await fillAndCheck(build, isResumed));
  for (const build of built) yield await goLive(build);
}

/** An index to be built. `name`: its real name, once the build has begun. */
interface Planned {
  run: ReindexRun;
  name: string | undefined;
}

interface Begun extends Planned {
  name: string;
}

async function fillAndCheck({ run, name }: Begun, isResumed: boolean) {
  const startedAt = performance.now();
  const { index, observer } = run;
  try {
    const documents = await fill(run, name);
    await finish(run, name);
    observer.onNote(`${name} has ${formatCount(documents)} documents; checking it`);
    await catchUp(run);
    const checked = await checkIndex(run, { name, documents, isResumed }, await requireIndexSet(run));
    // Repairs during the check may have left a setting of builds behind.
    if (isResumed) await run.stores.elasticsearch.builds.finish(index, name);
    return { run, name, documents, checked, seconds: (performance.now() - startedAt) / 1_000 };
  } catch (error) {
    throw toFault(error, name);
  }
}

async function goLive({ run, name, documents, checked, seconds }: Awaited<ReturnType<typeof fillAndCheck>>) {
  try {
    const standing = await requireIndexSet(run);
    await makeLive(run, name, standing);
    const [index, former] = [run.index.name, standing.live?.name ?? null];
    return { index, built: name, former, documents, ...checked, pruned: standing.others, seconds };
  } catch (error) {
    throw toFault(error, name);
  }
}

function toFault(error: unknown, build: string): unknown {
  if (error instanceof StoppedError) return new CommandError(`stopped; ${RESUME_HINT}`);
  if (error instanceof UnavailableError) return new CommandError(`${error.message}; ${RESUME_HINT}`);
  if (error instanceof BuildGoneError)
    return new CommandError(`${build} was deleted while it was being built; the live index is untouched`);
  if (error instanceof RefusedDocumentError)
    return new CommandError(`the new index cannot be built: ${error.message}; the live index is untouched`);
  return error;
}

export type ReindexOutcome = Awaited<ReturnType<typeof goLive>>;

/** Begins all builds without a name, or none: --resume would make only those live. Throws CommandError. */
async function beginAll(planned: readonly Planned[]): Promise<Begun[]> {
  const begun: Begun[] = [];
  try {
    for (const { run, name } of planned) begun.push({ run, name: name ?? (await begin(run)) });
    return begun;
  } catch (error) {
    // The build that failed may have an index, too. If a store is unavailable, all stay: --resume begins the others.
    const ofThisRun = planned.slice(0, begun.length + 1).filter(({ name }) => name === undefined);
    await Promise.allSettled(ofThisRun.map(({ run }) => discardBuild(run)));
    const message = `${messageOf(error)}; the live index is untouched: run this again`;
    throw new CommandError(message, { cause: error });
  }
}

async function begin(run: ReindexRun): Promise<string> {
  const { stores, index, observer } = run;
  for (const name of await discardBuild(run)) observer.onNote(`removed the interrupted build ${name}`);
  const moment = new Date();
  // After an upgrade the index of words may not exist yet.
  await stores.elasticsearch.createIndex(wordsIndex, moment);
  const built = await stores.elasticsearch.builds.create(index, moment);
  // All changes up to here are in MongoDB before the scan; later ones are applied after it.
  const { position } = await fetchLive(stores.mongo.documents);
  await addBuild(stores.mongo.documents, index, { _id: built, position });
  observer.onNote(`${index.name}: building ${built}; changes made meanwhile are applied afterwards`);
  return built;
}

/** The name of the interrupted build, if any. Throws CommandError when it cannot be continued. */
function requireInterrupted(index: IndexDefinition, { build, next }: IndexSet): string | undefined {
  if (!build) return undefined;
  // The command names no index: under other name rules none may go live alone.
  const anew = "run `npm run cli -- reindex` without --resume";
  if (build.version !== index.version || build.names_version !== NAMES_VERSION)
    throw new CommandError(`${build._id} was started by a release with another version of it: ${anew}`);
  if (!next.includes(build._id)) throw new CommandError(`${build._id} no longer exists: ${anew}`);
  return build._id;
}

/** Writes all documents, on a resume some of them again. Later changes come from the log, with higher versions. */
async function fill(run: ReindexRun, name: string): Promise<number> {
  const { stores, index } = run;
  const next = nextOf(index).name;
  // A record's revision has only one content, so a document that has this version need not be written again.
  const how = { isNewerOnly: isOfOneRecord(index) };
  let documents = 0;
  const write = async (writes: IndexWrite[]) => {
    documents += writes.length;
    const [refused] = await stores.elasticsearch.write(next, writes, how);
    if (!refused) return;
    const reason = `it refused document ${refused.id}: ${refused.reason}`;
    throw new CommandError(`${name} cannot be built: ${reason}; the live index is untouched`);
  };
  const requests = makeRequests(run, name);
  const writing = Readable.from(requests).forEach(write, { concurrency: WRITES_UNDER_WAY });
  // Ends the walk and its progress line before an error is thrown.
  await writing.finally(() => requests.return(undefined));
  return documents;
}

async function* makeRequests(run: ReindexRun, name: string): AsyncGenerator<IndexWrite[]> {
  const { stores, index, observer } = run;
  // Drawn before reading. A document of one record has the record's revision instead.
  const buildVersion = await drawRevision(stores);
  let [writes, bytes]: [IndexWrite[], number] = [[], 0];
  for await (const groups of walkWatched(stores, nextOf(index), { observer, what: `building ${name}` })) {
    for (const { id, records } of groups) {
      const document = index.document(records);
      if (document === null) continue;
      const content = toContent(document);
      const version = isOfOneRecord(index) ? (records[0]?.revision ?? 0) : buildVersion;
      writes.push({ id, version, ...content });
      bytes += content.document.length;
      if (bytes < WRITE_BYTES) continue;
      yield writes;
      [writes, bytes] = [[], 0];
    }
  }
  if (writes.length > 0) yield writes;
}

/** Merges segments, applies the final settings and waits for all copies, which are copied already merged. */
async function finish({ stores, index, observer }: ReindexRun, name: string): Promise<void> {
  const { builds } = stores.elasticsearch;
  observer.onNote(`${name} is filled; merging its segments`);
  const task = await builds.beginMerge(nextOf(index).name);
  while (!(await builds.isMerged(task))) {
    guardStop(observer);
    await sleep(MERGE_LOOK_MS);
  }
  await builds.finish(index, name);
  const until = performance.now() + COPIES_MS;
  while (!(await builds.waitForCopies(name, COPIES_LOOK_MS))) {
    if (!observer.isStopping() && performance.now() < until) continue;
    throw new CommandError(`the configured copies of ${name} are not ready; ${RESUME_HINT}`);
  }
}

/** What a reindex would do. Throws CommandError when it could not run. */
export async function planReindex(run: OneIndex) {
  const { stores, index } = run;
  const { live, build, others } = await requireIndexSet(run);
  const { collection } = index.record;
  return {
    index: index.name,
    version: index.version,
    live: live?.name ?? null,
    // MongoDB's estimate: an exact count would read everything.
    records: (await stores.mongo.health.fetchSizes([collection])).get(collection)?.records ?? 0,
    interrupted: build?._id ?? null,
    pruned: others,
  };
}

/**
 * A text about the disk space that the new indices need together, and that is free; interrupted builds count as free,
 * since new ones replace them. Throws CommandError when too little is free.
 */
export async function requireDiskSpace(asked: readonly OneIndex[]): Promise<string> {
  const names = asked.map(({ index }) => index.name);
  const rooms = await Promise.all(
    asked.map(({ stores, index }) => stores.elasticsearch.builds.fetchRoom(index.name)),
  );
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const used = rooms.map(({ usedBytes }) => usedBytes);
  const builds = sum(rooms.map(({ buildBytes }) => buildBytes));
  const told = rooms[0]?.freeBytes ?? [];
  const nodes = told.length > 0 ? told : [Infinity];
  const largest = Math.max(...used);
  const lookAt = (needed: number, nodesFree: number, where = "") => {
    const free = nodesFree === Infinity ? "free not known" : `${formatBytes(nodesFree + builds)} free`;
    const needs = `${formatBytes(needed)} of disk needed${where}, ${free}`;
    return { needs, isLacking: Math.round(needed) > nodesFree + builds };
  };
  const total = lookAt(sum(used) + largest * MERGE_FACTOR, sum(nodes));
  // An index has one shard, which one node holds.
  const ofLargest = lookAt(largest + largest * MERGE_FACTOR, Math.max(...nodes), " on one node");
  const lacking = [total, ofLargest].find(({ isLacking }) => isLacking);
  if (!lacking) return total.needs;
  throw new CommandError(
    `no room to build ${names.join(", ")}: ${lacking.needs}; free some space, delete in ` +
      "Elasticsearch the indices that `npm run cli -- status` shows as kept for reindex --back, or name fewer indices",
  );
}
