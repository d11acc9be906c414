/** A cluster loses each of its parts once while it is loaded and searched: no search fails, and it holds what a quiet load leaves. */
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
import type { Asked } from "./clients.ts";
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
// Of the rows of all kinds a third are companies; with fewer a quick machine ends the load before all is lost. CLUSTER_ROWS: smaller loads, for work on the test itself.
const ROWS = Number(process.env.CLUSTER_ROWS ?? 250_000);
// A loss after which the service takes longer to go on is a fault. How long the part itself takes to start is its own business.
const STEP_SECONDS = 30;
// Requests that a process had when it was killed began before; their connections break a moment later.
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
  "loses a node, a primary, an API and a worker, and no search",
  async () => {
    const steps: Step[] = [];
    const quiet = await load(THREE_WORKERS);
    process.stdout.write(`the load in quiet: ${quiet.seconds.toFixed(0)} s, ${quiet.batches} batches\n`);
    const losses = [NODE_LOSS, PRIMARY_LOSS, API_LOSS, WORKER_LOSS].map((loss) => ({
      afterBatches: FIRST_LOSS_BATCHES,
      inflict: async (victim: Parameters<Disturbance["inflict"]>[0]) =>
        void steps.push(await measureLoss(loss, cluster, service!, victim)), // opened before the load
    }));
    const outcome = await load([...THREE_WORKERS, ...losses], openAndEnd).finally(() =>
      process.stdout.write(report(steps, service?.clients.asked ?? [])),
    );
    process.stdout.write(
      `the load with losses: ${outcome.seconds.toFixed(0)} s, ${outcome.batches} batches\n`,
    );

    expect(differencesOf(quiet.register, outcome.register)).toEqual([]);
    const { states, notFollowed, rest } = quiet.leftovers;
    expect(outcome).toMatchObject({
      endedBy: "itself",
      // What the new primary of Redis had not yet heard of may have been done twice, and is kept for a while.
      leftovers: { states, notFollowed, rest, failed: 0 },
    });
    expect(service!.clients.asked.filter(isFailed(steps)).map(({ fault }) => fault)).toEqual([]);
    expect(steps.filter(({ servedSeconds }) => servedSeconds >= STEP_SECONDS)).toEqual([]);
    expect(steps).toHaveLength(losses.length);
  },
  2 * LOAD_DEADLINE_MS,
);

// The first worker is there when the load begins.
const THREE_WORKERS: Disturbance[] = [1, 2].map((afterBatches) => ({
  afterBatches,
  inflict: ({ startWorker }) => startWorker(),
}));
const FIRST_LOSS_BATCHES = 20;

/** Loads companies and their officers, behind the known ones. */
async function load(
  disturbances: Disturbance[],
  accompany?: (stores: Stores, config: Config) => Promise<() => Promise<void>>,
) {
  await waitUntil(() => isGreen(cluster.nodes, cluster.nodes.length), "the cluster is green");
  const [companies = "", officers = ""] = writeManyRows(folder, ROWS).files;
  const settings = {
    ...cluster.addresses,
    // Many small batches, and few at once: what is written while a node is away it must take over afterwards.
    ...{ BATCH_ROWS: "200", WORKER_THREADS: "1", WORKER_CONCURRENCY: "1" },
    // The batches of a killed worker are taken over after that.
    LOCK_MS: "5000",
    // Processors that the whole cluster shares are busy while a node starts: that is no fault of it.
    REQUEST_TIMEOUT_MS: "10000",
  };
  return runLoad({
    ...{ build, settings, addresses: {}, disturbances, deadlineMs: LOAD_DEADLINE_MS },
    // Elsewhere the stores and the API have processors of their own.
    isYielding: true,
    before: [writeKnownCompanies(folder)],
    loads: [[companies, officers]],
    ...(accompany && { accompany }),
  });
}

/** Has the register searched until the load has ended; then verify looks for what the stores do not hold alike. */
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

/** True for a request without the right answer that no killed API had. */
function isFailed(steps: readonly Step[]): (asked: Asked) => boolean {
  const { startedAt: killedAt = 0 } = steps.find(({ name }) => name === API_LOSS.name) ?? {};
  return ({ fault, isCut, startedAt, ms }) => {
    const wasAtKilled = startedAt < killedAt + CUT_MS && startedAt + ms > killedAt;
    return fault !== null && !(isCut && wasAtKilled);
  };
}

function report(steps: readonly Step[], asked: readonly Asked[]): string {
  const failed = asked.filter(isFailed(steps));
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor(share * (times.length - 1))]?.toFixed(0)} ms`;
  const cut = asked.filter((one) => one.isCut && !failed.includes(one)).length;
  const lines = [
    ...steps.map(formatStep),
    `${asked.length} requests: ${failed.length} failed, ${cut} in flight at the killed API; ` +
      `half within ${at(0.5)}, 99 % within ${at(0.99)}, the slowest ${at(1)}`,
    ...failed.slice(0, 20).map(({ fault }) => `  ${fault}`),
  ];
  return `\n${lines.join("\n")}\n`;
}
