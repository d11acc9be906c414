/** The `follow` command: keeps a register current from the event streams of another server. */
import {
  defineCommand,
  parseWholeNumber,
  type CommandContext,
  type CommandResult,
  type GivenOptions,
} from "./define-command.ts";
import { CommandError, messageOf } from "../../api/shared/runtime/errors.ts";
import { streams, type StreamDefinition } from "../../api/streams/streams.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { faultOf } from "../follow/advice.ts";
import { begin, followStream, type FollowRun, type StreamFollowing } from "../follow/follow-stream.ts";
import { fetchFollowed, type FollowedStream } from "../follow/positions.ts";
import { readStream, StreamError } from "../follow/stream-client.ts";
import { beginLoad, loadLock, type LoadRecord } from "../history/loads.ts";
import { drawRevisionOfLoad } from "../history/revisions.ts";
import { endLoad } from "../load/run-load.ts";
import { raisePositions } from "../log/changes.ts";
import { LiveFollower } from "../log/log-follower.ts";
import { prepareStores } from "../prepare.ts";
import { formatTotals } from "../progress.ts";
import { streamingEvents } from "../sources/streaming-events.ts";
import { trim } from "./load-process.ts";
import { chooseNamed, underLock, watchCancel } from "./long-work.ts";

const STOP_LOOK_MS = 100;
const TRIM_MS = 3_600_000;
const OTHERS =
  "the other streams are still followed, and the exit code will be 1 once they end or are stopped";

export const followCommand = defineCommand({
  name: "follow",
  summary: "Keep the register current from the event streams of another server, until Ctrl-C or SIGTERM.",
  effect: "writes",
  details:
    "The server is the official one or another Company Register. Load its snapshots first. The position of\n" +
    "each stream is stored, so the next run continues where this one stopped. A lost connection is opened again, after\n" +
    "growing pauses. Refused events are stored as refused rows. npm run cli -- status shows positions and delays.\n" +
    `Streams: ${streams.map(({ name }) => name).join(", ")}.\n` +
    "The exit code is 1 if a stream could no longer be followed.",
  arguments: [{ name: "[streams...]", description: "names of streams; default: all nine" }],
  options: [
    { flags: "--from <url>", description: "address of the other server's streams", required: true },
    {
      flags: "--key <key>",
      description:
        "stream key of that server; default: FOLLOW_KEY, or the file FOLLOW_KEY_FILE, which other users cannot read",
    },
    {
      flags: "--timepoint <number>",
      description:
        "begin there, not at the stored position; 0: at the oldest event, if the server is a Company Register",
    },
    { flags: "--from-now", description: "begin with the next event, not at the stored position" },
    { flags: "--dry-run", description: "connect, say where each stream would begin, and write nothing" },
  ],
  example: "follow companies officers --from https://stream.example.org",
  run: async (context, names, given) => {
    const chosen = chooseNamed("stream", streams, names);
    const from = readAddress(given.from);
    const key = given.key ?? context.config.FOLLOW_KEY;
    if (key === "")
      throw new CommandError(
        "no stream key: set FOLLOW_KEY_FILE to a file with the stream key of the other server, or set FOLLOW_KEY, or give --key",
      );
    const stores = context.openStores();
    const kept = await fetchFollowed(stores.mongo.documents);
    const followings = chosen.map((stream) => startOf(stream, { from, given, kept: kept.get(stream.name) }));
    if (given.dryRun) return tryStreams(context, followings, key);
    return followAll(context, stores, { followings, key });
  },
});

function readAddress(text = ""): URL {
  const address = text.endsWith("/") ? text : `${text}/`;
  if (!/^https?:/.test(text) || !URL.canParse(address))
    throw new CommandError(`--from must be an address such as https://stream.example.org, not "${text}"`);
  const url = new URL(address);
  // The address is stored and shown; a key in it would be, too.
  if (url.username !== "" || url.password !== "")
    throw new CommandError(
      "--from takes the address alone, without user or password: put the key into FOLLOW_KEY or FOLLOW_KEY_FILE",
    );
  return url;
}

/** Where to begin with a stream. Throws CommandError if the stored position is of another server. */
function startOf(
  { name, record }: StreamDefinition,
  { from, given, kept }: { from: URL; given: GivenOptions; kept: FollowedStream | undefined },
): StreamFollowing {
  const { timepoint, fromNow } = given;
  const isOther = kept !== undefined && kept.from !== from.href;
  // Uses `written`, not the position: a position is also stored before any event is written.
  const above = Math.max(kept?.above ?? 0, isOther ? (kept.written ?? 0) : 0);
  const written = isOther ? 0 : (kept?.written ?? 0);
  const followed = { stream: name, from: from.href, above, written };
  const start = { followed, kept, record, url: new URL(name, from) };
  if (timepoint !== undefined && fromNow)
    throw new CommandError("--timepoint and --from-now contradict each other: leave one out");
  if (fromNow) return start;
  // If the other server never answered, its address may have been mistyped.
  if (timepoint === undefined && isOther && kept.heard_at !== undefined)
    throw new CommandError(
      `${name} was followed from ${kept.from}, so its position does not apply to this server: begin with --from-now or --timepoint`,
    );
  // The stored timepoint is that of the last event that was written.
  const known =
    timepoint === undefined
      ? !isOther && kept
      : { timepoint: parseWholeNumber("--timepoint", timepoint, 0, Number.MAX_SAFE_INTEGER) - 1 };
  return { ...start, followed: { ...known, ...start.followed } };
}

/** Says where each stream would begin. */
async function tryStreams(
  { isStopping }: CommandContext,
  followings: readonly StreamFollowing[],
  key: string,
): Promise<CommandResult> {
  const stop = new AbortController();
  const look = setInterval(() => isStopping() && stop.abort(), STOP_LOOK_MS);
  const tried = followings.map(async (following) => {
    const { url, followed } = following;
    const { stream, timepoint } = followed;
    const start = timepoint === undefined ? undefined : timepoint + 1;
    const events = readStream({
      url,
      key,
      timepoint: start,
      signal: stop.signal,
      ahead: { bytes: 1, rows: 1 },
      onStart: (next) => begin(following, next),
    });
    const fault = await events.next().then(
      () => undefined,
      (error: unknown) =>
        (error instanceof StreamError ? faultOf(following, error) : undefined) ?? messageOf(error),
    );
    return { stream, url: url.href, begins_at: start ?? null, fault };
  });
  const outcomes = await Promise.all(tried);
  clearInterval(look);
  stop.abort();
  return {
    exitCode: outcomes.some(({ fault }) => fault !== undefined) ? 1 : 0,
    data: { streams: outcomes },
    lines: outcomes.map(
      ({ url, begins_at, fault }) =>
        fault ?? `${url}: would begin ${begins_at === null ? "with the next event" : `at ${begins_at}`}`,
    ),
  };
}

/** Follows all streams at once until the person stops it, or the events of one cannot be written. */
async function followAll(
  context: CommandContext,
  stores: Stores,
  { followings, key }: { followings: readonly StreamFollowing[]; key: string },
): Promise<CommandResult> {
  for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
  await prepareStores(stores, new Date(), context.tell);
  const record = planRecord(context, followings);
  record.plan.revision = await drawRevisionOfLoad(stores);
  await raisePositions(stores);
  const streamLocks = followings.map(({ followed }) => `stream:${followed.stream}`);
  const follow = [loadLock(record._id), ...streamLocks].reduceRight(
    (run, name) => () =>
      underLock(context, stores.redis, { name, work: `following ${name.replace("stream:", "")}` }, run),
    () => followLocked({ context, stores, record, key }, followings),
  );
  return follow();
}

async function followLocked(
  call: Pick<FollowRun, "stores" | "record" | "key"> & { context: CommandContext },
  followings: readonly StreamFollowing[],
): Promise<CommandResult> {
  const { context, stores, record } = call;
  const { config, tell } = context;
  const warn = ({ reason, err }: { reason?: string; err?: unknown }) => tell(reason ?? messageOf(err));
  const live = new LiveFollower(stores, { warn, error: warn });
  const stop = new AbortController();
  const cancel = watchCancel(context, stores.redis, record._id);
  const look = setInterval(() => cancel.isStopping() && stop.abort(), STOP_LOOK_MS);
  const trimNow = () => void trim(stores, config.STREAM_DAYS).catch(() => undefined);
  // Also at the start, since a process that is restarted more often than this would never trim.
  trimNow();
  const trimming = setInterval(trimNow, TRIM_MS);
  try {
    tell(`following ${followings.map(({ url }) => url.href).join(", ")}`);
    const run = { ...call, live, stop: stop.signal, isListed: false };
    return await followUntil(run, followings, () => stop.abort());
  } finally {
    clearInterval(look);
    cancel.end();
    clearInterval(trimming);
    await live.stop();
  }
}

/** Follows streams until they end. `end` stops all others if one fails with an unexpected error. */
async function followUntil(
  run: FollowRun,
  followings: readonly StreamFollowing[],
  end: () => void,
): Promise<CommandResult> {
  const { context, record } = run;
  const startedAt = performance.now();
  const faults: string[] = [];
  const follow = async (following: StreamFollowing) => {
    const fault = await followStream(run, following);
    if (fault === undefined) return;
    faults.push(fault);
    const isLast = faults.length === followings.length;
    context.tell(isLast ? fault : `${fault}. ${following.followed.stream} is given up; ${OTHERS}`);
  };
  const outcomes = await Promise.allSettled(
    followings.map((following) =>
      follow(following).catch((error: unknown) => {
        end();
        throw error;
      }),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (run.isListed)
    await endLoad(run, failed?.reason ?? faults[0]).catch(async (error: unknown) => {
      // What is written becomes searchable later. But the record must say that the process has ended.
      await endLoad(run, error);
      throw error;
    });
  if (failed) throw failed.reason;
  const { _id, files, counts } = record;
  return {
    exitCode: faults.length > 0 ? 1 : 0,
    data: { load: run.isListed ? _id : null, files, counts, faults },
    lines: run.isListed ? formatTotals(counts, performance.now() - startedAt) : [],
  };
}

/** The load under which this run of `follow` is listed, with its counts and refused events. */
function planRecord({ config }: CommandContext, followings: readonly StreamFollowing[]): LoadRecord {
  const source = streamingEvents.name;
  const files = followings.map(({ url }) => url.href);
  return {
    ...beginLoad(files, config, { encoding: "utf-8", isComplete: false, isFollowing: true }),
    surveyed: files.map((file) => ({ file, source, rows: 0, name: file, context: {} })),
  };
}
