/**
 * Loads under faults: a killed worker, a killed command, unavailable engines. The short form of `npm run test:faults`:
 * a small load, one point, and engines that a proxy makes unreachable instead of stopping them.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { buildRegister } from "../support/faults/build.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import {
  differencesOf,
  digestRegister,
  findLeftovers,
  runLoad,
  type Disturbance,
  type LoadOutcome,
} from "../support/faults/disturbed-load.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, testConfig } from "../support/register.ts";

const ROWS = 300;
// Some twenty batches; locks of a killed process expire within seconds; one thread, since each loads the code again.
const SETTINGS = { BATCH_ROWS: "25", QUEUE_DEPTH: "4", LOCK_MS: "2000", WORKER_THREADS: "1" };
const FIRST_AFTER = 3;
const BATCHES_BETWEEN = 4;
const AWAY_MS = 2_000;
// It takes fifteen seconds alone, and five times as long on a machine that is busy with ten other tasks.
const LOAD_DEADLINE_MS = 200_000;
const RUNS_DEADLINE_MS = 240_000;

const folder = makeOwnFolder();
const { ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL } = testConfig();
const addresses = { ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL };
let build = "";
let files: string[] = [];
type Left = Pick<LoadOutcome, "register" | "leftovers">;
let outcomes: { undisturbed: Left; killed: LoadOutcome; away: LoadOutcome };

// All at once, since they mostly wait.
beforeAll(async () => {
  build = buildRegister();
  files = writeManyRows(folder, ROWS).files;
  const [undisturbed, killed, away] = await Promise.all([
    loadUndisturbed(),
    run([killWorker, killCommand]),
    runWithoutEngines(),
  ]);
  outcomes = { undisturbed, killed, away };
}, RUNS_DEADLINE_MS);

const killWorker: Disturbance["inflict"] = async ({ worker, startWorker }) => {
  worker.kill("SIGKILL");
  await startWorker();
};
const killCommand: Disturbance["inflict"] = ({ command }) => Promise.resolve(command.kill("SIGKILL"));

function run(inflictions: Disturbance["inflict"][], others: Record<string, string> = {}) {
  const disturbances = inflictions.map((inflict, index) => ({
    afterBatches: FIRST_AFTER + index * BATCHES_BETWEEN,
    inflict,
  }));
  return runLoad({
    build,
    loads: [files],
    settings: { ...SETTINGS, ...addresses, ...others },
    addresses,
    disturbances,
    deadlineMs: LOAD_DEADLINE_MS,
  });
}

/** Runs in this process; the other loads disturb only processes and proxies of their own. */
async function loadUndisturbed(): Promise<Left> {
  const undisturbed = await openRegister({ settings: SETTINGS });
  const { config, stores } = undisturbed;
  try {
    // Some rows are refused.
    const { exitCode } = await undisturbed.run(loadCommand, files, { encoding: "utf-8" });
    expect(exitCode).toBe(2);
    return { register: await digestRegister(stores), leftovers: await findLeftovers(stores, config) };
  } finally {
    await undisturbed.close();
  }
}

/** Makes each engine in turn unreachable for a while: first silent, then refusing connections. */
async function runWithoutEngines(): Promise<LoadOutcome> {
  const names = Object.keys(addresses) as (keyof typeof addresses)[];
  const proxies = await Promise.all(names.map((name) => openFaultProxy(addresses[name])));
  const inflictions = proxies.map((proxy) => async () => {
    proxy.freeze();
    await sleep(AWAY_MS);
    await proxy.refuse();
    await sleep(AWAY_MS);
    await proxy.restore();
  });
  const others = Object.fromEntries(names.map((name, index) => [name, proxies[index]?.address ?? ""]));
  return run(inflictions, others).finally(() => Promise.all(proxies.map((proxy) => proxy.close())));
}

describe("an undisturbed load", () => {
  it("leaves records, search documents and refused rows, and no work behind", () => {
    const { register, leftovers } = outcomes.undisturbed;
    expect(register.size).toBeGreaterThan(ROWS);
    expect(leftovers).toEqual({
      ...{ states: ["succeeded"], notFollowed: 0, locks: [] },
      ...{ active: 0, completed: 0, delayed: 0, failed: 0, prioritized: 0 },
      ...{ waiting: 0, "waiting-children": 0, read: expect.any(Number), rest: 0 },
    });
  });
});

describe("a disturbed load ends as an undisturbed one", () => {
  it.each([
    ["by resume, after its worker and then its command were killed", "killed", "resume"],
    ["by itself, after each engine in turn fell silent and then refused connections", "away", "itself"],
  ] as const)("%s", (_name, which, endedBy) => {
    const { undisturbed } = outcomes;
    const outcome = outcomes[which];
    expect([outcome.endedBy, outcome.sentence]).toEqual([endedBy, expect.any(String)]);
    expect(differencesOf(undisturbed.register, outcome.register)).toEqual([]);
    expect(outcome.leftovers).toEqual(undisturbed.leftovers);
  });
});
