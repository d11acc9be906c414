/** Batches that no worker finishes: how often their workers may die, and what the load then reports. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Queue, Worker } from "bullmq";
import { DeniedError } from "../../api/shared/runtime/errors.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { BATCH_QUEUE, type BatchJob } from "../../ingest/queue/queue.ts";
import { startWorker } from "../../ingest/worker.ts";
import { openTestProducer } from "../support/producer.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";

const ZIP = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
const JOB = { load: "a-load", file: "a.csv", source: "company-csv", context: {}, rows: [] };

let register: TestRegister;
let workerStores: Stores;
beforeAll(async () => {
  register = await openRegister({ withWorker: false, settings: { LOCK_MS: "1000" } });
  workerStores = openStores(register.config, { forWorker: true });
});
afterAll(async () => {
  await closeStores(workerStores);
  await register.close();
});

/** Takes the waiting batches and never finishes them, so the queue sees one worker after another die. */
async function dieOver(deaths: number): Promise<void> {
  let died = 0;
  const worker = new Worker(BATCH_QUEUE, () => new Promise(() => undefined), {
    connection: workerStores.redis.connection,
    prefix: register.config.QUEUE_PREFIX,
    ...{ lockDuration: 20, stalledInterval: 10, skipLockRenewal: true },
    ...{ maxStalledCount: 1_000, concurrency: 100 },
  });
  worker.on("error", () => undefined);
  worker.on("stalled", () => (died += 1));
  // The last worker dies with the batches: batches that wait would go straight to the next worker.
  await new Promise<void>((resolve) => worker.on("active", () => died >= deaths && resolve()));
  await worker.close(true);
}

async function loadWhileWorkersDie(deaths: number) {
  const loading = register.load(ZIP);
  await dieOver(deaths);
  const stop = startWorker(register.config, workerStores, createLogger("silent", "worker"));
  return loading.finally(stop);
}

it("a load fails, and names the rows over which every worker died", async () => {
  const { error } = await loadWhileWorkersDie(25);
  expect(error?.message).toMatch(/BasicCompanyDataAsOneFile.*, from line 2: .* workers died/);
});

it("writes a batch whose workers died often, but less often than a batch may be tried", async () => {
  expect(await loadWhileWorkersDie(12)).toMatchObject({ exitCode: 0 });
  expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(200);
});

it("a load that waits for a killed worker's batch gives that as a possible reason", async () => {
  const { redis } = register.stores;
  const { QUEUE_PREFIX: prefix } = register.config;
  const producer = await openTestProducer(redis, prefix);
  await producer.add({ ...JOB, revision: 1 });
  const worker = new Worker<BatchJob>(BATCH_QUEUE, null, {
    connection: workerStores.redis.connection,
    prefix,
  });
  const taken = await worker.getNextJob("killed");
  expect(await producer.explainWait()).toMatch(/busy with .*, or a worker was killed/);
  await taken?.moveToCompleted(noCounts(), "killed", false);
  await producer.drain();
  await worker.close();
  await producer.close();
});

it("a batch waits for another one with the same record, while others go on", async () => {
  const { redis } = register.stores;
  const { QUEUE_PREFIX: prefix } = register.config;
  const producer = await openTestProducer(redis, prefix);
  const written: number[] = [];
  const write = async ({ data: { revision } }: { data: BatchJob }) => {
    if (revision === 1) await waitUntil(() => Promise.resolve(written.includes(2)), "the second is written");
    written.push(revision);
    return noCounts();
  };
  const options = { connection: workerStores.redis.connection, prefix, concurrency: 3 };
  const worker = new Worker(BATCH_QUEUE, write, options);
  for (const [at, keys] of [["a", "b"], ["c"], ["d", "b"]].entries())
    await producer.add({ ...JOB, revision: at + 1 }, keys);
  await producer.drain();
  await worker.close();
  await producer.close();
  expect(written).toEqual([2, 1, 3]);
});

it("a load fails at once if MongoDB denies access while it looks for a lost batch", async () => {
  const { redis } = register.stores;
  const { QUEUE_PREFIX: prefix } = register.config;
  const fetchDone = () => Promise.reject(new DeniedError("mongodb", "wrong password"));
  const producer = await openTestProducer(redis, prefix, { fetchDone });
  await producer.add({ ...JOB, revision: 1 });
  const queue = new Queue(BATCH_QUEUE, { connection: redis.connection, prefix });
  await queue.obliterate({ force: true });
  await expect(producer.drain()).rejects.toThrow(DeniedError);
  await producer.close();
  await queue.close();
});
