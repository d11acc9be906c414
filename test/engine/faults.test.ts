/**
 * Loads that something happens to: the worker and the command are killed, engines are away for a while. The short form
 * of `npm run test:faults`: a small load, one point, and engines that a proxy keeps out of reach instead of stopping them.
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
// Some twenty batches; what a process that was killed had taken is free again within seconds. Each thread loads the code anew.
const SETTINGS = { BATCH_ROWS: "25", QUEUE_DEPTH: "4", LOCK_MS: "2000", WORKER_THREADS: "1" };
const FIRST_AFTER = 3;
const BATCHES_BETWEEN = 4;
const AWAY_MS = 2_000;
// Fifteen seconds by itself, five times as long on a machine that is busy with ten other things.
const LOAD_DEADLINE_MS = 200_000;
const RUNS_DEADLINE_MS = 240_000;

const folder = makeOwnFolder();
const { ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL } = testConfig();
const addresses = { ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL };
let build = "";
let files: string[] = [];
type Left = Pick<LoadOutcome, "register" | "leftovers">;
let outcomes: { undisturbed: Left; killed: LoadOutcome; away: LoadOutcome };

// All at once: they mostly wait.
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

/** In this process: of the others nothing is disturbed but processes and engines. */
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

/** The engines are out of reach for a while, one after the other: first silent, then gone. */
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

describe("a load that nothing happens to", () => {
  it("leaves records, search documents and refused rows, and nothing else", () => {
    const { register, leftovers } = outcomes.undisturbed;
    expect(register.size).toBeGreaterThan(ROWS);
    expect(leftovers).toEqual({
      ...{ states: ["succeeded"], notFollowed: 0, locks: [] },
      ...{ active: 0, completed: 0, delayed: 0, failed: 0, prioritized: 0 },
      ...{ waiting: 0, "waiting-children": 0, read: expect.any(Number), rest: 0 },
    });
  });
});

describe("a load ends as if nothing had happened", () => {
  it.each([
    ["by resume, when its worker was killed, and then its command", "killed", "resume"],
    ["by itself, when each engine in turn answered nothing, then refused connections", "away", "itself"],
  ] as const)("%s", (_name, which, endedBy) => {
    const { undisturbed } = outcomes;
    const outcome = outcomes[which];
    expect([outcome.endedBy, outcome.sentence]).toEqual([endedBy, expect.any(String)]);
    expect(differencesOf(undisturbed.register, outcome.register)).toEqual([]);
    expect(outcome.leftovers).toEqual(undisturbed.leftovers);
  });
});
