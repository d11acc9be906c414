/** Runs loads in processes of their own, disturbs them, and reports what the stores hold in the end. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig, type Config } from "../../../api/shared/settings/config.ts";
import { contentHash } from "../../../api/shared/values/identifiers.ts";
import { closeStores, openStores, type Stores } from "../../../api/shared/stores/index.ts";
import type { RefusedRow } from "../../../ingest/refused-rows/refused-rows.ts";
import { addCounts, noCounts } from "../../../ingest/history/counts.ts";
import { fetchLatestLoads, loadLock } from "../../../ingest/history/loads.ts";
import { FOLLOW_LOCK } from "../../../ingest/log/log-follower.ts";
import { prepareStores } from "../../../ingest/prepare.ts";
import { openQueue } from "../../../ingest/queue/queue.ts";
import { fetchState, listNotFollowed } from "../register-state.ts";
import { waitUntil } from "../wait-until.ts";
import { LoadPrograms } from "./load-programs.ts";
import { YIELDING, type Program } from "./processes.ts";

// Between two checks of how many batches are written.
const WATCH_MS = 10;
// Between two attempts to resume a load.
const RESUME_PAUSE_MS = 500;
// The lock of a killed command expires long before this time is over.
const LOCKED_MS = 120_000;
// More than any test runs on one register.
const MOST_LOADS = 20;

/** What a disturbance can act on while a load runs. */
export interface Victim {
  /** The worker that was started last. */
  readonly worker: Program;
  command: Program;
  /** Starts another worker. */
  startWorker: () => Promise<void>;
  /** Batches that the loads have written so far. */
  countBatches: () => number;
  /** The output of all workers. */
  readWorkers: () => string;
  /** Ids of the batches that workers hold at this moment. */
  listHeld: () => Promise<string[]>;
}

export interface DisturbedLoad {
  /** Folder of the build. */
  build: string;
  /** Files and options of each disturbed load. Each begins when the one before it writes batches. */
  loads: string[][];
  /** True if each load begins when the one before it has ended. */
  isInTurn?: boolean;
  /** What the last command prints before the first disturbance. */
  saysFirst?: RegExp | undefined;
  /** Files and options of loads that run before the disturbed ones, one after the other. */
  before?: string[][];
  /** Starts what runs beside the disturbed loads; returns a function to call when they have ended. */
  accompany?: (stores: Stores, config: Config) => Promise<() => Promise<void>>;
  /** True if its workers run at the lowest priority. */
  isYielding?: boolean;
  /** Where the processes find their engines, and settings that differ from the usual. */
  settings: Record<string, string>;
  /** Addresses of the engines themselves, for when `settings` point to a proxy. */
  addresses: Record<string, string>;
  /** Happen one after the other; empty for an undisturbed load. */
  disturbances: Disturbance[];
  /** After this time a load counts as one that never ends. */
  deadlineMs: number;
}

export interface Disturbance {
  /** It happens when the disturbed loads have written this many batches, and the disturbance before it is over. */
  afterBatches: number;
  inflict: (victim: Victim) => Promise<void>;
}

export interface LoadOutcome {
  /** How the loads came to their end. */
  endedBy: "itself" | "resume" | "forced resume";
  /** The last lines of the commands that failed, and so had to be resumed. */
  sentence: string;
  /** The output of all commands, except those that resumed a load. */
  output: string;
  seconds: number;
  /** Batches that the disturbed loads wrote. */
  batches: number;
  register: RegisterDigest;
  /** Counts that show whether something was left behind: jobs, locks, changes not followed. */
  leftovers: Record<string, unknown>;
}

/** Hashes of everything that both stores hold, by name. */
export type RegisterDigest = Map<string, string>;

/** Runs loads to their end, resuming them if needed; leaves nothing in the engines. Throws after the deadline. */
export async function runLoad(load: DisturbedLoad): Promise<LoadOutcome> {
  const config = ownConfig(load.settings);
  const stores = openStores({ ...config, ...load.addresses });
  await prepareStores(stores, new Date());
  const programs = new LoadPrograms(load.build, config, load.isYielding ? YIELDING : []);
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
  { loads, before = [], accompany, isInTurn = false, saysFirst, disturbances }: DisturbedLoad,
  { programs, stores, config }: { programs: LoadPrograms; stores: Stores; config: Config },
): Promise<LoadOutcome> {
  await programs.startWorker();
  for (const args of before) await loadUndisturbed(programs, args);
  const endBeside = await accompany?.(stores, config);
  const startedAt = performance.now();
  const written = programs.countBatches();
  const countBatches = () => programs.countBatches() - written;
  const commands: Program[] = [];
  for (const [position, args] of loads.entries()) {
    if (isInTurn) await commands.at(-1)?.ended;
    else await waitForBatches(position, countBatches, commands);
    commands.push(programs.startCommand(["load", ...args]));
  }
  if (saysFirst)
    await waitUntil(() => saysFirst.test(commands.at(-1)?.readOutput() ?? ""), String(saysFirst));
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  const listHeld = () => queue.getRanges(["active"]);
  await disturb(disturbances, { programs, commands, countBatches, listHeld }).finally(() => queue.close());
  const exitCodes = await Promise.all(commands.map(({ ended }) => ended));
  const broken = commands.filter((_command, position) => !hasLoaded(exitCodes[position] ?? null));
  const endedBy = broken.length === 0 ? "itself" : await resume(programs, stores, broken.length);
  const seconds = (performance.now() - startedAt) / 1_000;
  await endBeside?.();
  return {
    endedBy,
    sentence: broken.map(lastWords).join(" // "),
    output: commands.map((command) => command.readOutput()).join("\n"),
    seconds,
    batches: countBatches(),
    register: await digestRegister(stores),
    leftovers: await findLeftovers(stores, config),
  };
}

/** Loads files with these options; throws unless the load succeeds. */
export async function loadUndisturbed(programs: LoadPrograms, args: string[]): Promise<void> {
  const command = programs.startCommand(["load", ...args]);
  if (!hasLoaded(await command.ended))
    throw new Error(`an undisturbed load failed:\n${command.readOutput()}`);
}

/** Names of entries in which two registers differ, at most ten. */
export function differencesOf(a: RegisterDigest, b: RegisterDigest): string[] {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter((name) => a.get(name) !== b.get(name)).slice(0, 10);
}

/** A configuration with these settings, and with names that no other run uses. */
export function ownConfig(settings: Record<string, string>): Config {
  const run = `fault-${randomBytes(4).toString("hex")}`;
  const own = { DATABASE_NAME: run.replace("-", "_"), INDEX_PREFIX: `${run}-`, QUEUE_PREFIX: run };
  return readConfig({ LOG_LEVEL: "silent", ...settings, ...own });
}

async function disturb(
  disturbances: Disturbance[],
  load: { programs: LoadPrograms; commands: Program[] } & Pick<Victim, "countBatches" | "listHeld">,
): Promise<void> {
  const { programs, commands, countBatches, listHeld } = load;
  const [command] = commands;
  for (const { afterBatches, inflict } of disturbances) {
    await waitForBatches(afterBatches, countBatches, commands);
    if (!command) throw new Error("nothing is loaded");
    await inflict({
      ...{ command, countBatches, listHeld },
      get worker() {
        return programs.lastWorker();
      },
      ...{ startWorker: () => programs.startWorker(), readWorkers: () => programs.readWorkers() },
    });
  }
}

async function waitForBatches(
  count: number,
  countBatches: () => number,
  commands: readonly Program[],
): Promise<void> {
  while (countBatches() < count) {
    if (!commands.some((command) => command.isRunning()))
      throw new Error(`it ended too early:\n${commands.map((command) => command.readOutput()).join("\n")}`);
    await sleep(WATCH_MS);
  }
}

/**
 * Resumes loads as a person would: waits until the lock of the killed load has expired, tries again while an engine is
 * starting, and adds --force if a later edition was loaded meanwhile.
 */
async function resume(
  programs: LoadPrograms,
  stores: Stores,
  count: number,
): Promise<"resume" | "forced resume"> {
  const latest = await fetchLatestLoads(stores.mongo.documents, MOST_LOADS);
  const broken = latest.filter(({ state }) => state !== "succeeded").toReversed();
  if (broken.length !== count)
    throw new Error(`${count} commands failed, but ${broken.length} loads are stored as not succeeded`);
  let wasForced = false;
  for (const { _id } of broken) wasForced = (await resumeLoad(programs, stores, _id)) || wasForced;
  return wasForced ? "forced resume" : "resume";
}

/** Returns true if it needed --force. */
async function resumeLoad(programs: LoadPrograms, stores: Stores, load: string): Promise<boolean> {
  const isFree = async () =>
    !(await stores.redis.locks.list().catch((): string[] => [])).includes(loadLock(load));
  // Waits first, because each attempt of a command costs a second of processor time.
  await waitUntil(isFree, `the lock of ${load} has expired`, LOCKED_MS);
  let force: string[] = [];
  for (;;) {
    const command = programs.startCommand(["load", "--resume", load, ...force]);
    if (hasLoaded(await command.ended)) return force.length > 0;
    const output = command.readOutput();
    if (force.length === 0 && output.includes("override this with --force")) force = ["--force"];
    else if (/under way in another process|is not available/.test(output)) await sleep(RESUME_PAUSE_MS);
    else throw new Error(`it cannot be resumed:\n${output}`);
  }
}

/** True if the command loaded all rows (0), or all but refused rows (2). */
function hasLoaded(exitCode: number | null): boolean {
  return exitCode === 0 || exitCode === 2;
}

function lastWords(command: Program): string {
  const lines = command.readOutput().trimEnd().split("\n");
  return lines.filter((line) => !/rows\/s|rows read as|^refused:|^and /.test(line)).join(" / ");
}

/** Hashes of everything that both stores hold of a register. */
export async function digestRegister(stores: Stores): Promise<RegisterDigest> {
  const { records, gone, documents } = await fetchState(stores);
  const letters = await stores.mongo.documents.list("dead_letters", {}, 100_000);
  // The load's id differs from run to run, and so does the number of its first batch.
  const refused = letters.map((document) => {
    // The cast: the collection holds only refused rows.
    const { file, line, reason, text } = document as unknown as RefusedRow;
    return [`refused/${file}:${line}`, { reason, text }] as const;
  });
  const all = {
    ...records,
    ...gone,
    // The prefix keeps them apart, because indices have the names of collections.
    ...Object.fromEntries(Object.entries(documents).map(([name, document]) => [`search/${name}`, document])),
    ...(Object.fromEntries(refused) as object),
  };
  return new Map(Object.entries(all).map(([name, value]) => [name, contentHash(value)]));
}

/** Jobs, locks and unfollowed changes that a load has left, and how its counts of rows add up. */
export async function findLeftovers(stores: Stores, config: Config): Promise<Record<string, unknown>> {
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  const jobs = await queue.getJobCounts();
  await queue.close();
  const loads = await fetchLatestLoads(stores.mongo.documents, MOST_LOADS);
  const stored = {
    states: loads.map(({ state }) => state),
    notFollowed: (await listNotFollowed(stores)).length,
    // A worker takes this lock every second to look for new changes.
    locks: (await stores.redis.locks.list()).filter((name) => name !== FOLLOW_LOCK),
    ...jobs,
  };
  const { read, written, removed, unchanged, refused, skipped } = loads
    .map(({ counts }) => counts)
    .reduce(addCounts, noCounts());
  const counts = { read, rest: read - written - removed - unchanged - refused - skipped };
  return { ...stored, ...counts };
}

/** Drops the database, indices and Redis keys of a register. */
export async function dropEverything(stores: Stores, config: Config): Promise<void> {
  await stores.mongo.dropDatabase();
  await stores.elasticsearch.deleteIndices();
  const keys = await stores.redis.connection.keys(`${config.QUEUE_PREFIX}:*`);
  if (keys.length > 0) await stores.redis.connection.del(...keys);
}
