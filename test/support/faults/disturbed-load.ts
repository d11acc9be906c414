/** Owns a load in processes of its own that something happens to, and what is left of it in the end. */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Queue } from "bullmq";
import { readConfig, type Config } from "../../../api/core/config.ts";
import { contentHash } from "../../../api/core/identifiers.ts";
import { closeStores, openStores, type Stores } from "../../../api/core/stores/index.ts";
import type { DeadLetter } from "../../../ingest/dead-letters.ts";
import { indices } from "../../../index-mappings/index.ts";
import { fetchLatestLoads } from "../../../ingest/loads.ts";
import { prepareStores } from "../../../ingest/prepare.ts";
import { BATCH_QUEUE } from "../../../ingest/queue.ts";
import { fetchState } from "../register-state.ts";
import { startCommand, startWorker, type Program } from "./processes.ts";

const LOAD_DEADLINE_MS = 400_000;
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

/** Runs a load to its end, by resume if need be; leaves nothing in the engines. */
export async function runLoad(load: DisturbedLoad): Promise<LoadOutcome> {
  const config = ownConfig(load.settings);
  const stores = openStores({ ...config, ...load.addresses });
  await prepareStores(stores, new Date());
  const startedAt = performance.now();
  const workers = [await startWorker(load.build, config)];
  try {
    const command = startCommand(load.build, config, ["load", ...load.files]);
    await disturb(load, { config, workers, command });
    const first = await endOf(command);
    const isEnded = first === 0 || first === 2;
    if (!isEnded) await resume(load.build, config, stores);
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      endedBy: isEnded ? "itself" : "resume",
      sentence: isEnded ? "" : lastWords(command),
      seconds,
      batches: countBatches(workers),
      register: await digestRegister(stores),
      leftovers: await findLeftovers(stores, config),
    };
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await Promise.all(workers.map(({ ended }) => ended));
    await dropEverything(stores, config).finally(() => closeStores(stores));
  }
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

async function disturb(
  { build, disturbances }: DisturbedLoad,
  { config, workers, command }: { config: Config; workers: Program[]; command: Program },
): Promise<void> {
  const another = async () => void workers.push(await startWorker(build, config));
  for (const { afterBatches, inflict } of disturbances) {
    while (countBatches(workers) < afterBatches) {
      if (!command.isRunning()) throw new Error(`it ended before its fault:\n${command.readOutput()}`);
      await setTimeout(WATCH_MS);
    }
    const worker = workers.at(-1);
    if (worker) await inflict({ worker, command, startWorker: another });
  }
}

function countBatches(workers: Program[]): number {
  return workers.reduce((sum, worker) => sum + worker.readOutput().split("batch written").length - 1, 0);
}

async function endOf(command: Program): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`the load did not end:\n${command.readOutput()}`));
    timer = globalThis.setTimeout(giveUp, LOAD_DEADLINE_MS);
  });
  return Promise.race([command.ended, late]).finally(() => {
    clearTimeout(timer);
    command.kill("SIGKILL");
  });
}

/** As a person would: once more while an engine still starts, or the load that was killed holds its lock. */
async function resume(build: string, config: Config, stores: Stores): Promise<void> {
  const [load] = await fetchLatestLoads(stores.mongo.documents, 1);
  for (const until = Date.now() + LOAD_DEADLINE_MS; ;) {
    const command = startCommand(build, config, ["load", "--resume", load?._id ?? ""]);
    const code = await endOf(command);
    if (code === 0 || code === 2) return;
    const isEarly = /under way in another process|is not available/.test(command.readOutput());
    if (!isEarly || Date.now() > until) throw new Error(`it cannot be resumed:\n${command.readOutput()}`);
    await setTimeout(RESUME_PAUSE_MS);
  }
}

function lastWords(command: Program): string {
  const lines = command.readOutput().trimEnd().split("\n");
  return lines.filter((line) => !/rows\/s|rows read as|^refused:|^and /.test(line)).join(" / ");
}

async function digestRegister(stores: Stores): Promise<RegisterDigest> {
  const { records, tombstones, documents } = await fetchState(stores);
  const letters = await stores.mongo.documents.list("dead_letters", {}, 100_000);
  // The load's own name differs from run to run, and so does its batches' first number.
  const refused = letters.map((document) => {
    // The cast: the collection holds what was refused and nothing else.
    const { file, line, reason, text } = document as unknown as DeadLetter;
    return [`refused/${file}:${line}`, { reason, text }] as const;
  });
  const all = { ...records, ...tombstones, ...documents, ...(Object.fromEntries(refused) as object) };
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
    notes: (await stores.mongo.documents.list("unindexed", {}, 10)).length,
    batchRecords: (await stores.mongo.documents.list("batches", {}, 10)).length,
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
