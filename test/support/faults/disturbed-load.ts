/** Owns a load in processes of its own that something happens to, and what is left of it in the end. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import { readConfig, type Config } from "../../../api/core/config.ts";
import { contentHash } from "../../../api/core/identifiers.ts";
import { closeStores, openStores, type Stores } from "../../../api/core/stores/index.ts";
import type { DeadLetter } from "../../../ingest/dead-letters/dead-letters.ts";
import { indices } from "../../../index-mappings/index.ts";
import { fetchLatestLoads } from "../../../ingest/history/loads.ts";
import { prepareStores } from "../../../ingest/prepare.ts";
import { BATCH_QUEUE } from "../../../ingest/queue/queue.ts";
import { fetchState, listNotFollowed } from "../register-state.ts";
import { LoadPrograms } from "./load-programs.ts";
import type { Program } from "./processes.ts";

// Between two looks at how far it is.
const WATCH_MS = 10;
// Between two tries to go on with a load.
const RESUME_PAUSE_MS = 500;

/** What a fault may do to a load that is under way. */
export interface Victim {
  worker: Program;
  command: Program;
  /** Starts another worker. */
  startWorker: () => Promise<void>;
}

export interface DisturbedLoad {
  /** Folder of the build. */
  build: string;
  files: string[];
  /** Where the processes find their engines, and settings that differ from the usual. */
  settings: Record<string, string>;
  /** Where the engines themselves are, when `settings` lead to something in between. */
  addresses: Record<string, string>;
  /** One after the other; none: nothing happens. */
  disturbances: Disturbance[];
  /** A load that has not ended by then, in milliseconds, counts as one that never ends. */
  deadlineMs: number;
}

export interface Disturbance {
  /** It happens when this many batches have been written, and the one before has passed. */
  afterBatches: number;
  inflict: (victim: Victim) => Promise<void>;
}

export interface LoadOutcome {
  /** How the load came to its end. */
  endedBy: "itself" | "resume";
  /** What the command said when it did not end by itself. */
  sentence: string;
  seconds: number;
  /** Batches that were written. */
  batches: number;
  register: RegisterDigest;
  /** What should not be there any more. */
  leftovers: Record<string, unknown>;
}

/** Hashes of all that both stores hold, by name. */
export type RegisterDigest = Map<string, string>;

/** Runs a load to its end, by resume if need be; leaves nothing in the engines. Throws when the deadline has passed. */
export async function runLoad(load: DisturbedLoad): Promise<LoadOutcome> {
  const config = ownConfig(load.settings);
  const stores = openStores({ ...config, ...load.addresses });
  await prepareStores(stores, new Date());
  const programs = new LoadPrograms(load.build, config);
  const isOver = new AbortController();
  const late = sleep(load.deadlineMs, undefined, { signal: isOver.signal }).then(() => {
    throw new Error(`the load has not ended after ${load.deadlineMs} ms:\n${programs.readOutput()}`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([runToEnd(load, { programs, stores, config }), late]);
  } finally {
    isOver.abort();
    await programs.kill();
    await dropEverything(stores, config).finally(() => closeStores(stores));
  }
}

async function runToEnd(
  { files, disturbances }: DisturbedLoad,
  { programs, stores, config }: { programs: LoadPrograms; stores: Stores; config: Config },
): Promise<LoadOutcome> {
  const startedAt = performance.now();
  await programs.startWorker();
  const command = programs.startCommand(["load", ...files]);
  await disturb(disturbances, programs, command);
  const isEnded = hasLoaded(await command.ended);
  if (!isEnded) await resume(programs, stores);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    endedBy: isEnded ? "itself" : "resume",
    sentence: isEnded ? "" : lastWords(command),
    seconds,
    batches: programs.countBatches(),
    register: await digestRegister(stores),
    leftovers: await findLeftovers(stores, config),
  };
}

/** Names by which two registers differ, at most ten. */
export function differencesOf(a: RegisterDigest, b: RegisterDigest): string[] {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter((name) => a.get(name) !== b.get(name)).slice(0, 10);
}

function ownConfig(settings: Record<string, string>): Config {
  const run = `fault-${randomBytes(4).toString("hex")}`;
  const own = { DATABASE_NAME: run.replace("-", "_"), INDEX_PREFIX: `${run}-`, QUEUE_PREFIX: run };
  return readConfig({ LOG_LEVEL: "silent", ...settings, ...own });
}

async function disturb(disturbances: Disturbance[], programs: LoadPrograms, command: Program): Promise<void> {
  for (const { afterBatches, inflict } of disturbances) {
    while (programs.countBatches() < afterBatches) {
      if (!command.isRunning()) throw new Error(`it ended before its fault:\n${command.readOutput()}`);
      await sleep(WATCH_MS);
    }
    await inflict({ worker: programs.lastWorker(), command, startWorker: () => programs.startWorker() });
  }
}

/** As a person would: once more while an engine still starts, or the load that was killed holds its lock. */
async function resume(programs: LoadPrograms, stores: Stores): Promise<void> {
  const [load] = await fetchLatestLoads(stores.mongo.documents, 1);
  for (;;) {
    const command = programs.startCommand(["load", "--resume", load?._id ?? ""]);
    if (hasLoaded(await command.ended)) return;
    const isEarly = /under way in another process|is not available/.test(command.readOutput());
    if (!isEarly) throw new Error(`it cannot be resumed:\n${command.readOutput()}`);
    await sleep(RESUME_PAUSE_MS);
  }
}

/** With all its rows, or with some of them refused. */
function hasLoaded(exitCode: number | null): boolean {
  return exitCode === 0 || exitCode === 2;
}

function lastWords(command: Program): string {
  const lines = command.readOutput().trimEnd().split("\n");
  return lines.filter((line) => !/rows\/s|rows read as|^refused:|^and /.test(line)).join(" / ");
}

async function digestRegister(stores: Stores): Promise<RegisterDigest> {
  const { records, gone, documents } = await fetchState(stores);
  const letters = await stores.mongo.documents.list("dead_letters", {}, 100_000);
  // The load's own name differs from run to run, and so does its batches' first number.
  const refused = letters.map((document) => {
    // The cast: the collection holds what was refused and nothing else.
    const { file, line, reason, text } = document as unknown as DeadLetter;
    return [`refused/${file}:${line}`, { reason, text }] as const;
  });
  const all = { ...records, ...gone, ...documents, ...(Object.fromEntries(refused) as object) };
  return new Map(Object.entries(all).map(([name, value]) => [name, contentHash(value)]));
}

async function findLeftovers(stores: Stores, config: Config): Promise<Record<string, unknown>> {
  const queue = new Queue(BATCH_QUEUE, {
    connection: stores.redis.connection,
    prefix: config.QUEUE_PREFIX,
  });
  const jobs = await queue.getJobCounts();
  await queue.close();
  const [load] = await fetchLatestLoads(stores.mongo.documents, 1);
  const held = {
    state: load?.state,
    notFollowed: (await listNotFollowed(stores)).length,
    locks: await stores.redis.locks.list(),
    isRefreshOff: await stores.elasticsearch.isRefreshOff(indices.map(({ name }) => name)),
    ...jobs,
  };
  const { read = 0, written = 0, removed = 0, unchanged = 0, refused = 0, skipped = 0 } = load?.counts ?? {};
  const counts = { read, rest: read - written - removed - unchanged - refused - skipped };
  return { ...held, ...counts };
}

async function dropEverything(stores: Stores, config: Config): Promise<void> {
  await stores.mongo.dropDatabase();
  await stores.elasticsearch.deleteIndices();
  const keys = await stores.redis.connection.keys(`${config.QUEUE_PREFIX}:*`);
  if (keys.length > 0) await stores.redis.connection.del(...keys);
}
