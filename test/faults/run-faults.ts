/** Owns the runs of faults: each kind at five points of a load, compared with a load that nothing happened to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { buildRegister } from "../support/faults/build.ts";
import {
  differencesOf,
  runLoad,
  type Disturbance,
  type LoadOutcome,
  type Victim,
} from "../support/faults/disturbed-load.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { startOwnEngines, type EngineName, type OwnEngines } from "./own-engines.mjs";

// Shares of the batches that are written when the fault happens.
const POINTS = [0.05, 0.25, 0.5, 0.75, 0.95];
// FAULT_ROWS: a smaller load, for work on the tests themselves.
const ROWS = Number(process.env.FAULT_ROWS ?? 50_000);
// How long an engine is away before it is started again; starting takes a while as well.
const AWAY_MS = 20_000;
const ENGINES_DEADLINE_MS = 600_000;
const LOAD_DEADLINE_MS = 400_000;
const RUN_DEADLINE_MS = 900_000;

/** Something that may happen to a load. */
export interface Fault {
  name: string;
  inflict: (engines: OwnEngines, victim: Victim) => Promise<void>;
}

interface TableRow {
  fault: string;
  point: number;
  outcome: LoadOutcome;
  isEqual: boolean;
}

// About 250 batches, so that the points lie where they should; refresh is off, as it is for a whole register.
const SETTINGS = { BATCH_ROWS: "200", REFRESH_PAUSE_ROWS: "1000" };

/** Has each fault happen at each point, and prints what became of the loads. */
export function describeFaults(faults: Fault[]): void {
  const folder = mkdtempSync(join(tmpdir(), "company-register-faults-"));
  const table: TableRow[] = [];
  let engines: OwnEngines;
  let build = "";
  let undisturbed: LoadOutcome;
  const run = (...disturbances: Disturbance[]) => {
    const { files } = writeManyRows(folder, ROWS);
    const settings = { ...SETTINGS, ...engines.addresses };
    return runLoad({ build, files, settings, addresses: {}, disturbances, deadlineMs: LOAD_DEADLINE_MS });
  };

  beforeAll(async () => {
    build = buildRegister();
    engines = await startOwnEngines();
    undisturbed = await run();
    process.stdout.write(
      `undisturbed: ${undisturbed.seconds.toFixed(0)} s, ${undisturbed.batches} batches\n`,
    );
  }, ENGINES_DEADLINE_MS);

  afterAll(async () => {
    process.stdout.write(`\n${formatTable(table)}\n`);
    await engines.close();
    for (const path of [folder, build]) rmSync(path, { recursive: true });
  }, ENGINES_DEADLINE_MS);

  describe.each(faults)("$name", ({ name, inflict }) => {
    it.each(POINTS)(
      "at %d of a load changes nothing in its end",
      async (point) => {
        const afterBatches = Math.max(1, Math.floor(undisturbed.batches * point));
        const outcome = await run({ afterBatches, inflict: (victim) => inflict(engines, victim) });
        const differences = differencesOf(undisturbed.register, outcome.register);
        table.push({ fault: name, point, outcome, isEqual: differences.length === 0 });
        process.stdout.write(`${formatTable(table.slice(-1))}\n`);
        expect(differences).toEqual([]);
        expect(outcome.leftovers).toEqual(undisturbed.leftovers);
      },
      RUN_DEADLINE_MS,
    );
  });
}

/** The engines die and are started again, on what they had kept. */
export function kill(...names: EngineName[]): Fault["inflict"] {
  return (engines) => endAndRestart(engines, names, "SIGKILL");
}

/** The engines are told to end, as by an upgrade of the machine, and started again. */
export function stop(...names: EngineName[]): Fault["inflict"] {
  return (engines) => endAndRestart(engines, names, "SIGTERM");
}

/** The engine hangs: connections stay, and nothing is answered. */
export function freeze(name: EngineName): Fault["inflict"] {
  return async (engines) => {
    engines.signal(name, "SIGSTOP");
    await sleep(AWAY_MS);
    engines.signal(name, "SIGCONT");
  };
}

/** Redis dies and comes again with nothing. */
export const loseRedis: Fault["inflict"] = async (engines) => {
  engines.signal("Redis", "SIGKILL");
  await sleep(AWAY_MS);
  engines.forgetData("Redis");
  await engines.restart("Redis");
};

async function endAndRestart(engines: OwnEngines, names: EngineName[], signal: NodeJS.Signals) {
  for (const name of names) engines.signal(name, signal);
  await sleep(AWAY_MS);
  // What others stand on is started first.
  for (const name of names.toReversed()) await engines.restart(name);
}

function formatTable(rows: TableRow[]): string {
  return rows
    .map(({ fault, point, outcome, isEqual }) =>
      [
        fault.padEnd(34),
        `${point * 100} %`.padStart(5),
        `by ${outcome.endedBy}`.padEnd(10),
        `${outcome.seconds.toFixed(0)} s`.padStart(6),
        isEqual ? "equal" : "DIFFERENT",
        outcome.sentence,
      ].join("  "),
    )
    .join("\n");
}
