/** Follows one stream of another server: writes its events in batches, and stores the position after each batch. */
import { setTimeout as sleep } from "node:timers/promises";
import { RefusedDocumentError } from "../../api/shared/runtime/errors.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import { formatDuration } from "../../api/shared/runtime/format.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { inSpan } from "../../api/shared/tracing/tracing.ts";
import { addCounts, noCounts } from "../history/counts.ts";
import { REVISIONS_PER_BATCH, writeLoad, type LoadRecord } from "../history/loads.ts";
import { drawRevision } from "../history/revisions.ts";
import { lockKinds } from "../load/kind-locks.ts";
import { waitForLeftBatches } from "../load/left-batches.ts";
import { closeUnfinishedChanges } from "../log/changes.ts";
import type { LiveFollower } from "../log/log-follower.ts";
import { openPatience } from "../patient-stores.ts";
import { processBatch } from "../pipeline.ts";
import { jobIdOf, withQueue, type BatchCounts, type BatchJob } from "../queue/queue.ts";
import { stampOf, streamingEvents } from "../sources/streaming-events.ts";
import { faultOf } from "./advice.ts";
import { writeFollowed, type FollowedStream } from "./positions.ts";
import { readStream, StreamError } from "./stream-client.ts";

/** What the followers of the streams of one server share. */
export interface FollowRun {
  context: { config: Config; tell: (note: string) => void };
  stores: Stores;
  live: LiveFollower;
  /** The load that has the counts and the refused events. Its `files` are the addresses of the streams. */
  record: LoadRecord;
  /** True once the record is stored, and so listed. This happens before the first batch. */
  isListed: boolean;
  key: string;
  stop: AbortSignal;
}

/** A stream to be followed, and the kind of record in its events. */
export interface StreamFollowing {
  followed: FollowedStream;
  /** What was stored about the stream before this run; absent if nothing was. */
  kept?: FollowedStream | undefined;
  record: RecordDefinition;
  url: URL;
}

// The position before the oldest event: the server is asked for timepoint 0.
const FROM_OLDEST = -1;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
// Servers that limit connections ask for a pause of this length (bulk formats 5: 429).
const CROWDED_PAUSE_MS = 60_000;
// A stream that was open for this long has not failed, so the pauses start again from the first. Proxies cut
// connections after half a minute, or later.
const LASTED_MS = 10_000;
// Pause between two batches, without the lock of the record kind, so that a load that waits for the lock can begin.
const REST_MS = 50;
// `heard_at` is stored at most this often, and with each batch of events.
const HEARD_MS = 30_000;

/** Milliseconds before the connection is tried again; jittered, so that several followers do not return together. */
export function pauseBefore(attempt: number, effect: StreamError["effect"], random = Math.random()): number {
  const first = effect === "crowded" ? CROWDED_PAUSE_MS : FIRST_PAUSE_MS;
  return Math.min(first * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (1 + random / 2);
}

/** Follows a stream until it is stopped or cannot continue; returns the reason if not. Reopens lost connections. */
export async function followStream(run: FollowRun, following: StreamFollowing): Promise<string | undefined> {
  const { stop, context } = run;
  for (let attempt = 1; !stop.aborted; attempt += 1) {
    let openedAt = Infinity;
    try {
      await readOnce(run, following, () => (openedAt = performance.now()));
      throw new StreamError(`${following.url.href}: the server has ended the stream`, "passing");
    } catch (error) {
      if (stop.aborted) return undefined;
      if (!(error instanceof StreamError)) throw error;
      const fault = faultOf(following, error);
      if (fault !== undefined) {
        await openRunPatience(run)(() =>
          writeFollowed(run.stores.mongo.documents, withFault(following, fault)),
        );
        if (isFinal(following, error)) return fault;
      }
      if (performance.now() - openedAt > LASTED_MS) attempt = 1;
      const pauseMs = pauseBefore(attempt, error.effect);
      const lost =
        following.followed.timepoint === undefined
          ? ". Events until then are missed, because no event has arrived yet from which to continue"
          : "";
      context.tell(`${error.message}; connecting again in ${formatDuration(pauseMs / 1_000)}${lost}`);
      await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }
  return undefined;
}

/**
 * What to store about a stream with a fault. If the server never answered, the known position stays: its address may be
 * mistyped.
 */
function withFault({ followed, kept }: StreamFollowing, fault: string): FollowedStream {
  const { stream, from, heard_at } = followed;
  return { ...(heard_at === undefined ? (kept ?? { stream, from }) : followed), fault };
}

/**
 * True if trying again is useless. It is not if a server that has answered before refuses, or sends a web page: it may
 * be restarting behind its proxy, or somebody may still renew the key.
 */
function isFinal({ followed: { heard_at } }: StreamFollowing, { effect }: StreamError): boolean {
  return effect === "gone" || effect === "ahead" || heard_at === undefined;
}

/**
 * Takes the timepoint from which on the server sends events, if it names one. A stream without a position begins there.
 * Throws StreamError if its events would count as old.
 */
export function begin({ url, followed }: StreamFollowing, next: number | undefined): void {
  const { above = 0 } = followed;
  if (next === undefined) return;
  if (next <= above)
    throw new StreamError(
      `${url.href} begins at timepoint ${next}, but events of another server up to timepoint ${above} have been written here, so ` +
        "its events would count as old. Follow it with an empty database or, if it is the same server at another address, with " +
        `--timepoint ${above + 1}`,
      "refused",
    );
  // If it begins with the oldest event, it has no position yet either: the server may delete events before one arrives.
  if ((followed.timepoint ?? FROM_OLDEST) === FROM_OLDEST) followed.timepoint = next - 1;
}

/** Reads one connection to its end. */
async function readOnce(run: FollowRun, following: StreamFollowing, onOpen: () => void): Promise<undefined> {
  const { context, key, stop, stores } = run;
  const { followed, url } = following;
  const { timepoint } = followed;
  const patiently = openRunPatience(run);
  let keptAt = -Infinity;
  const reading = {
    ...{ url, key, timepoint: timepoint === undefined ? undefined : timepoint + 1, signal: stop },
    ahead: { bytes: context.config.BATCH_BYTES, rows: context.config.BATCH_ROWS },
    onStart: (next: number | undefined) => {
      onOpen();
      begin(following, next);
    },
  };
  for await (const lines of readStream(reading)) {
    followed.heard_at = new Date().toISOString();
    delete followed.fault;
    const events = lines.filter((line) => line !== "");
    const isDue = performance.now() - keptAt > HEARD_MS;
    // The first position is stored once lines have shown that this is an event stream, and before its first event is
    // written.
    if (isDue) await patiently(() => writeFollowed(stores.mongo.documents, followed));
    if (events.length > 0) await writeEvents(run, following, events);
    if (events.length > 0 || isDue) keptAt = performance.now();
    if (stop.aborted) return;
    if (events.length > 0) await sleep(REST_MS);
  }
}

/** Retries store operations for as long as a store is unavailable, until a person stops the command. */
function openRunPatience({ context, stop }: FollowRun) {
  const onUnavailable = ({ message }: Error) => context.tell(`${message}; the events wait for it`);
  return openPatience({ patienceMs: Infinity, isStopping: () => stop.aborted, onUnavailable });
}

/** Writes a batch, then stores its position. Waits for as long as a store is unavailable. */
async function writeEvents(
  run: FollowRun,
  following: StreamFollowing,
  events: readonly string[],
): Promise<void> {
  const { stores, context, record, stop } = run;
  const { documents } = stores.mongo;
  const { collection } = following.record;
  const isStopping = () => stop.aborted;
  const patiently = openRunPatience(run);
  const { release } = await patiently(() =>
    lockKinds(stores.redis, [collection], { ...context, isStopping }),
  );
  try {
    await patiently(() => waitForLoads(run, collection));
    const above = record.plan.revision + REVISIONS_PER_BATCH;
    const revision = await patiently(() => drawRevision(stores, above));
    const job = toJob(record, following, { revision, events });
    // Stored before the batch: if the process is killed, its refused events belong to a load that is known.
    if (!run.isListed) await patiently(() => writeLoad(documents, record));
    run.isListed = true;
    const counts = await patiently(() => writeBatch(run, job));
    record.counts = addCounts(record.counts, counts);
    record.plan.revision = revision;
    const stamp = events.map(stampOf).findLast((one) => one !== null);
    const { timepoint, published_at } = stamp ?? following.followed;
    const written = Math.max(following.followed.written ?? 0, stamp?.timepoint ?? 0);
    const written_at = new Date().toISOString();
    Object.assign(following.followed, { timepoint, published_at, written_at, written });
    await patiently(() => writeFollowed(documents, following.followed));
    await patiently(() => writeLoad(documents, record));
  } finally {
    await release();
  }
}

/** Waits, as a load does, for batches that an ended load has left: they rely on a register without the events. */
function waitForLoads({ stores, context, record, stop }: FollowRun, collection: string): Promise<void> {
  const waiting = { ...context, isStopping: () => stop.aborted };
  return withQueue(stores.redis, context.config.QUEUE_PREFIX, (queue) =>
    waitForLeftBatches({ stores, record, queue, context: waiting }, [collection]),
  );
}

function toJob(
  { _id: load, surveyed }: LoadRecord,
  { url: { href: file } }: StreamFollowing,
  { revision, events }: { revision: number; events: readonly string[] },
): BatchJob {
  const facts = surveyed?.find((one) => one.file === file);
  const first = 1 + (facts?.rows ?? 0);
  if (facts) facts.rows += events.length;
  const rows = events.map((text, at) => ({ line: first + at, text }));
  return { load, file, source: streamingEvents.name, context: {}, revision, rows };
}

/** Processes a batch as a worker does; it may be called again with the same batch. */
async function writeBatch(run: FollowRun, job: BatchJob): Promise<BatchCounts> {
  const { stores, live, context } = run;
  const { documents } = stores.mongo;
  const id = jobIdOf(job);
  await closeUnfinishedChanges(documents, { job: id });
  try {
    const span = { name: "write events", attributes: { "company_register.rows": job.rows.length } };
    return await live.during(() => inSpan(span, () => processBatch(stores, streamingEvents, job, id)));
  } catch (error) {
    if (!(error instanceof RefusedDocumentError)) throw error;
    context.tell(`${error.message}; npm run cli -- doctor says what to do`);
    return { ...noCounts(), read: job.rows.length };
  }
}
