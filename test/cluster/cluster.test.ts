/** A cluster loses each kind of part once during a load and searches. No search may fail, and no record may differ. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { buildRegister } from "../support/faults/build.ts";
import { differencesOf, runLoad, type Disturbance } from "../support/faults/disturbed-load.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { startCommand } from "../support/faults/processes.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { Outcome } from "./clients.ts";
import { writeKnownCompanies } from "./known-companies.ts";
import {
  API_LOSS,
  formatStep,
  isGreen,
  measureLoss,
  NODE_LOSS,
  PRIMARY_LOSS,
  WORKER_LOSS,
  type Step,
} from "./losses.ts";
import { startOwnCluster, type OwnCluster } from "./own-cluster.mjs";
import { openService, type Service } from "./service.ts";

const ENGINES_DEADLINE_MS = 600_000;
const LOAD_DEADLINE_MS = 600_000;
// A third are companies. With fewer rows, a fast machine ends the load before all parts were lost. CLUSTER_ROWS sets
// smaller loads, for work on the test itself.
const ROWS = Number(process.env.CLUSTER_ROWS ?? 250_000);
// The longest that the service may take to recover from a loss. How long the lost part takes to start does not count.
const STEP_SECONDS = 30;
// Connections of requests to a killed process break a moment after the kill.
const CUT_MS = 100;

const folder = mkdtempSync(join(tmpdir(), "company-register-cluster-"));
let build: string;
let cluster: OwnCluster;
let service: Service | undefined;
beforeAll(async () => {
  build = buildRegister();
  cluster = await startOwnCluster();
}, ENGINES_DEADLINE_MS);
afterAll(async () => {
  await service?.clients.close();
  await service?.close();
  await cluster.close();
  rmSync(folder, { recursive: true });
}, ENGINES_DEADLINE_MS);

it(
  "answers every search while it loses a node, a primary, an API and a worker",
  async () => {
    const steps: Step[] = [];
    const undisturbed = await load(THREE_WORKERS);
    process.stdout.write(
      `the undisturbed load: ${undisturbed.seconds.toFixed(0)} s, ${undisturbed.batches} batches\n`,
    );
    const losses = [NODE_LOSS, PRIMARY_LOSS, API_LOSS, WORKER_LOSS].map((loss) => ({
      afterBatches: FIRST_LOSS_BATCHES,
      inflict: async (victim: Parameters<Disturbance["inflict"]>[0]) =>
        void steps.push(await measureLoss(loss, cluster, service!, victim)), // opened before the load
    }));
    const outcome = await load([...THREE_WORKERS, ...losses], openAndEnd).finally(() =>
      process.stdout.write(report(steps, service?.clients.outcomes ?? [])),
    );
    process.stdout.write(
      `the load with losses: ${outcome.seconds.toFixed(0)} s, ${outcome.batches} batches\n`,
    );

    expect(differencesOf(undisturbed.register, outcome.register)).toEqual([]);
    const { states, notFollowed, rest } = undisturbed.leftovers;
    expect(outcome).toMatchObject({
      endedBy: "itself",
      // Jobs unknown to the new primary of Redis may have run twice, and are kept for a while.
      leftovers: { states, notFollowed, rest, failed: 0 },
    });
    expect(service!.clients.outcomes.filter(isFailed(steps)).map(({ fault }) => fault)).toEqual([]);
    expect(steps.filter(({ servedSeconds }) => servedSeconds >= STEP_SECONDS)).toEqual([]);
    expect(steps).toHaveLength(losses.length);
  },
  2 * LOAD_DEADLINE_MS,
);

// The first worker runs when the load begins; these are the other two.
const THREE_WORKERS: Disturbance[] = [1, 2].map((afterBatches) => ({
  afterBatches,
  inflict: ({ startWorker }) => startWorker(),
}));
const FIRST_LOSS_BATCHES = 20;

/** Loads companies and their officers, after the known companies. */
async function load(
  disturbances: Disturbance[],
  accompany?: (stores: Stores, config: Config) => Promise<() => Promise<void>>,
) {
  await waitUntil(() => isGreen(cluster.nodes, cluster.nodes.length), "the cluster is green");
  const [companies = "", officers = ""] = writeManyRows(folder, ROWS).files;
  const settings = {
    ...cluster.addresses,
    // Many small batches, few at once, because a node that comes back must copy what was written meanwhile.
    ...{ BATCH_ROWS: "200", WORKER_THREADS: "1", WORKER_CONCURRENCY: "1" },
    // After this time other workers take over the batches of a killed one.
    LOCK_MS: "5000",
    // A long limit, because the whole cluster shares the processors, which are busy while a node starts.
    REQUEST_TIMEOUT_MS: "10000",
  };
  return runLoad({
    ...{ build, settings, addresses: {}, disturbances, deadlineMs: LOAD_DEADLINE_MS },
    // In production the stores and the API have processors of their own.
    isYielding: true,
    before: [writeKnownCompanies(folder)],
    loads: [[companies, officers]],
    ...(accompany && { accompany }),
  });
}

/** Starts the clients; returns a function that ends them after the load, and runs `verify` to compare the stores. */
async function openAndEnd(stores: Stores, config: Config): Promise<() => Promise<void>> {
  const opened = await openService(build, config, stores);
  service = opened;
  return async () => {
    await opened.clients.close();
    await opened.close();
    const verify = startCommand(build, config, ["verify"]);
    const exitCode = await verify.ended;
    expect({ exitCode, said: verify.readOutput() }).toMatchObject({ exitCode: 0 });
  };
}

/** Returns a filter for requests without the right answer, except those that a killed API was handling. */
function isFailed(steps: readonly Step[]): (outcome: Outcome) => boolean {
  const { startedAt: killedAt = 0 } = steps.find(({ name }) => name === API_LOSS.name) ?? {};
  return ({ fault, isCut, startedAt, ms }) => {
    const wasAtKilled = startedAt < killedAt + CUT_MS && startedAt + ms > killedAt;
    return fault !== null && !(isCut && wasAtKilled);
  };
}

function report(steps: readonly Step[], outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(isFailed(steps));
  const times = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor(share * (times.length - 1))]?.toFixed(0)} ms`;
  const cut = outcomes.filter((one) => one.isCut && !failed.includes(one)).length;
  const lines = [
    ...steps.map(formatStep),
    `${outcomes.length} requests: ${failed.length} failed, ${cut} in flight at the killed API; ` +
      `half within ${at(0.5)}, 99 % within ${at(0.99)}, the slowest ${at(1)}`,
    ...failed.slice(0, 20).map(({ fault }) => `  ${fault}`),
  ];
  return `\n${lines.join("\n")}\n`;
}
