/** Runs loads with a fault at some points, and compares each with an undisturbed load. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { buildRegister } from "../support/faults/build.ts";
import {
  differencesOf,
  runLoad,
  type DisturbedLoad,
  type LoadOutcome,
  type Victim,
} from "../support/faults/disturbed-load.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { startOwnEngines, type EngineName, type OwnEngines } from "./own-engines.mjs";

// When the fault happens, as a share of the load's batches.
const POINTS = [0.05, 0.25, 0.5, 0.75, 0.95];
// FAULT_ROWS sets smaller loads, for work on the tests themselves.
const ROWS = Number(process.env.FAULT_ROWS ?? 50_000);
// How long an engine is unavailable before it is started again; its start takes time as well.
const AWAY_MS = 20_000;
const ENGINES_DEADLINE_MS = 600_000;
const LOAD_DEADLINE_MS = 400_000;
const RUN_DEADLINE_MS = 900_000;

/** A fault that can happen during a load. */
export interface Fault {
  name: string;
  inflict: (engines: OwnEngines, victim: Victim, awayMs: number) => Promise<void>;
}

/** The loads that a fault happens to. */
export interface Scenario {
  /** Name of the loads in test titles. */
  name: string;
  /** Writes the files. Several loads run at once, and are compared with the same loads one after the other. */
  write: (folder: string, rows: number) => Pick<DisturbedLoad, "loads" | "before">;
  rows: number;
  points: readonly number[];
  awayMs: number;
  /** What the last command prints before the fault happens. */
  saysFirst?: RegExp;
  /** What no command may print. */
  neverSaid?: RegExp;
}

/** A load of all three kinds of file into an empty register. */
export const FIRST_LOAD: Scenario = {
  name: "a load",
  write: (folder, rows) => ({ loads: [writeManyRows(folder, rows).files] }),
  rows: ROWS,
  points: POINTS,
  awayMs: AWAY_MS,
};

/** Shared by the other scenarios: each fault once, fewer rows, and engines that are unavailable for a shorter time. */
export const BRIEF = { rows: ROWS / 5, points: [0.5], awayMs: AWAY_MS / 4 };

interface TableRow {
  fault: string;
  point: number;
  outcome: LoadOutcome;
  isEqual: boolean;
}

// About the number of batches of a first load, enough to hit the points well.
const BATCHES = 250;

/** The engines and the build that the loads of one test file use. */
export interface FaultBench {
  engines: OwnEngines;
  /** Folder of the build. */
  build: string;
  folder: string;
  table: TableRow[];
}

/** Starts engines for the tests of a file; prints the outcome of all loads in the end. Complete once tests run. */
export function openFaultBench(): FaultBench {
  const folder = mkdtempSync(join(tmpdir(), "company-register-faults-"));
  const bench = { folder, table: [] as TableRow[] } as unknown as FaultBench; // complete once tests run

  beforeAll(async () => {
    bench.build = buildRegister();
    bench.engines = await startOwnEngines();
  }, ENGINES_DEADLINE_MS);

  afterAll(async () => {
    process.stdout.write(`\n${formatTable(bench.table)}\n`);
    await bench.engines.close();
    rmSync(folder, { recursive: true });
  }, ENGINES_DEADLINE_MS);
  return bench;
}

/** Defines a test for each fault at each point of a scenario. */
export function describeFaults(bench: FaultBench, faults: readonly Fault[], scenario: Scenario): void {
  const { name: loadName, rows, points, awayMs } = scenario;
  let undisturbed: LoadOutcome;
  const run = (disturbances: DisturbedLoad["disturbances"], isInTurn = false) => {
    const loads = scenario.write(bench.folder, rows);
    const batchRows = String(Math.max(20, Math.round(rows / BATCHES)));
    const settings = { BATCH_ROWS: batchRows, ...bench.engines.addresses };
    const saysFirst = isInTurn ? undefined : scenario.saysFirst;
    const where = { build: bench.build, settings, addresses: {} };
    return runLoad({ ...where, ...loads, disturbances, isInTurn, saysFirst, deadlineMs: LOAD_DEADLINE_MS });
  };

  describe(loadName, () => {
    beforeAll(async () => {
      undisturbed = await run([], true);
      const { seconds, batches } = undisturbed;
      process.stdout.write(`${loadName}, undisturbed: ${seconds.toFixed(0)} s, ${batches} batches\n`);
    }, RUN_DEADLINE_MS);

    describe.each(faults)("$name", ({ name, inflict }) => {
      it.each(points)(
        "at %d of its batches, the load ends as if undisturbed",
        async (point) => {
          const afterBatches = Math.max(1, Math.floor(undisturbed.batches * point));
          const outcome = await run([
            { afterBatches, inflict: (victim) => inflict(bench.engines, victim, awayMs) },
          ]);
          const differences = differencesOf(undisturbed.register, outcome.register);
          bench.table.push({
            fault: `${loadName}: ${name}`,
            point,
            outcome,
            isEqual: differences.length === 0,
          });
          process.stdout.write(`${formatTable(bench.table.slice(-1))}\n`);
          expect(differences).toEqual([]);
          expect(outcome.leftovers).toEqual(undisturbed.leftovers);
          if (scenario.neverSaid) expect(outcome.output).not.toMatch(scenario.neverSaid);
        },
        RUN_DEADLINE_MS,
      );
    });
  });
}

/** Nothing happens. */
export const NOTHING: Fault = { name: "nothing happens", inflict: () => Promise.resolve() };

/** The worker is killed, and another one is started. */
export const WORKER_KILLED: Fault = {
  name: "the worker is killed",
  inflict: async (_engines, victim) => {
    victim.worker.kill("SIGKILL");
    await victim.startWorker();
  },
};

/** The command is killed; the load is resumed later. */
export const COMMAND_KILLED: Fault = {
  name: "the command is killed",
  inflict: (_engines, victim) => Promise.resolve(victim.command.kill("SIGKILL")),
};

/** One fault for each store and each process. */
export const GRAVE_FAULTS: Fault[] = [
  { name: "Elasticsearch is killed", inflict: kill("Elasticsearch") },
  { name: "MongoDB is killed, with its PostgreSQL", inflict: kill("FerretDB", "PostgreSQL") },
  { name: "Redis loses all its data", inflict: loseRedis },
  WORKER_KILLED,
  COMMAND_KILLED,
];

/** The engines are killed, and started again with their data. */
export function kill(...names: EngineName[]): Fault["inflict"] {
  return (engines, _victim, awayMs) => endAndRestart(engines, { names, signal: "SIGKILL", awayMs });
}

/** The engines are stopped, as by an upgrade of the machine, and started again. */
export function stop(...names: EngineName[]): Fault["inflict"] {
  return (engines, _victim, awayMs) => endAndRestart(engines, { names, signal: "SIGTERM", awayMs });
}

/** The engine hangs: connections stay open, but get no answers. */
export function freeze(name: EngineName): Fault["inflict"] {
  return async (engines, _victim, awayMs) => {
    engines.signal(name, "SIGSTOP");
    await sleep(awayMs);
    engines.signal(name, "SIGCONT");
  };
}

/** Redis is killed, and started again without its data. */
export async function loseRedis(
  engines: Pick<OwnEngines, "signal" | "forgetData" | "restart">,
  _victim: unknown,
  awayMs: number,
): Promise<void> {
  engines.signal("Redis", "SIGKILL");
  await sleep(awayMs);
  engines.forgetData("Redis");
  await engines.restart("Redis");
}

async function endAndRestart(
  engines: OwnEngines,
  { names, signal, awayMs }: { names: EngineName[]; signal: NodeJS.Signals; awayMs: number },
): Promise<void> {
  for (const name of names) engines.signal(name, signal);
  await sleep(awayMs);
  // In reverse order, because the first engine depends on the others.
  for (const name of names.toReversed()) await engines.restart(name);
}

function formatTable(rows: TableRow[]): string {
  return rows
    .map(({ fault, point, outcome, isEqual }) =>
      [
        fault.padEnd(60),
        `${point * 100} %`.padStart(5),
        `by ${outcome.endedBy}`.padEnd(16),
        `${outcome.seconds.toFixed(0)} s`.padStart(6),
        isEqual ? "equal" : "DIFFERENT",
        outcome.sentence,
      ].join("  "),
    )
    .join("\n");
}
