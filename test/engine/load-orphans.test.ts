/** How a load deals with batches that an outage or a killed process left behind. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { Worker } from "bullmq";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { newLoadId, writeLoad, type LoadRecord } from "../../ingest/history/loads.ts";
import { openProducer } from "../../ingest/queue/producer.ts";
import { BATCH_QUEUE, openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { beginCommand } from "../support/begun-command.ts";
import { addHeldWorker, addWorker } from "../support/further-worker.ts";
import { countCompanies, load, STOPPED, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

// After this time a connection pauses between two attempts to reconnect.
const AWAY_MS = 2_000;
const WAITS = /^workers still write batches of load \S+, which has ended; this load waits for them$/;

const folder = makeOwnFolder();
const newRegister = registersPerTest();

it("waits for a batch of a stopped load that a worker holds, so that nothing is written beside it", async () => {
  const register = await newRegister({ BATCH_ROWS: "20" }, false);
  const worker = addHeldWorker(register);
  const first = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index < 5);
  const next = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index >= 5);
  let isStopping = false;
  const stopped = register.run(loadCommand, [first], { encoding: "utf-8" }, () => isStopping);
  await waitUntil(() => Promise.resolve(worker.hasBegun()), "a worker writes the batch");
  isStopping = true;
  expect((await stopped).error?.message).toMatch(STOPPED);
  const loading = beginCommand(register, loadCommand, [next], { encoding: "utf-8", complete: "true" });
  await waitUntil(
    () => Promise.resolve(loading.told.some((line) => WAITS.test(line)) || loading.hasEnded()),
    "the load waits, or has ended",
  );
  worker.open();
  expect(await loading.ended).toBe(0);
  await worker.close();
  // The edition lacks the stopped load's companies, so they are removed.
  expect(await countCompanies(register)).toBe(195);
});

/** Stores a load of companies whose process was killed while it wrote. */
async function keepKilled({ stores }: TestRegister): Promise<LoadRecord> {
  const file = { file: "killed.csv", source: "company-csv", rows: 1, name: "killed.csv" };
  const record: LoadRecord = {
    ...{ _id: newLoadId(new Date(), 0.25), state: "running", files: ["killed.csv"], counts: noCounts() },
    started_at: new Date().toISOString(),
    plan: { encoding: "utf-8", limits: { rows: 10, bytes: 10_000 }, revision: 1, isComplete: false },
    surveyed: [{ ...file, fills: [companyRecord.collection] }],
  };
  await writeLoad(stores.mongo.documents, record);
  return record;
}

it("removes queued batches of a killed load, and of one that a restored MongoDB does not know", async () => {
  const register = await newRegister({}, false);
  const { mongo, redis } = register.stores;
  const record = await keepKilled(register);
  const [killed, other, lost] = [record._id, newLoadId(new Date(), 0.5), newLoadId(new Date(), 0.75)];
  const fills = ["appointments"];
  await writeLoad(mongo.documents, {
    ...{ ...record, _id: other },
    surveyed: record.surveyed?.map((file) => ({ ...file, fills })) ?? [],
  });
  const queue = openQueue(redis, register.config.QUEUE_PREFIX);
  for (const id of [killed, other, lost])
    await queue.add("company-csv", {} as BatchJob, { jobId: `${id}-1`, delay: 60_000 });
  const edition = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", () => true);
  const stopWorker = addWorker(register);
  expect(await load(register, [edition])).toMatchObject({ exitCode: 0 });
  await stopWorker();
  const left = await queue.getRanges(["delayed"]);
  await queue.close();
  expect(left).toEqual([`${other}-1`]);
});

it("says that no worker runs if a worker died over another load's batch", async () => {
  const register = await newRegister({}, false);
  const { config } = register;
  const { _id: killed } = await keepKilled(register);
  const queue = openQueue(register.stores.redis, config.QUEUE_PREFIX);
  await queue.add("company-csv", {} as BatchJob, { jobId: `${killed}-1` });
  const dying = openStores(config, { forWorker: true });
  const worker = new Worker<BatchJob>(BATCH_QUEUE, null, {
    ...{ connection: dying.redis.connection, prefix: config.QUEUE_PREFIX },
  });
  await worker.getNextJob("test");
  await worker.close();
  const edition = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", () => true);
  const loading = beginCommand(register, loadCommand, [edition], { encoding: "utf-8" });
  const isTold = () =>
    Promise.resolve(loading.told.some((line) => line.startsWith("batches are waiting, but no worker")));
  // Sooner than the load would say so about its own batches.
  await waitUntil(isTold, "the load says that no worker is running", 9_000).finally(async () => {
    await (await queue.getJob(`${killed}-1`))?.moveToCompleted({}, "test", false);
    const stopWorker = addWorker(register);
    await loading.ended;
    await stopWorker();
    await queue.close();
    await closeStores(dying);
  });
});

it("a load ends even while its connection to Redis pauses before it reconnects", async () => {
  const register = await newRegister({}, false);
  const proxy = await openFaultProxy(register.config.REDIS_URL);
  const stores = openStores({ ...register.config, REDIS_URL: proxy.address });
  const producer = await openProducer(stores.redis, {
    ...{ prefix: register.config.QUEUE_PREFIX, depth: 1, patienceMs: 1_000 },
    ...{ onUnavailable: () => undefined, onWritten: () => undefined, isStopping: () => false },
    fetchDone: () => Promise.resolve(null),
  });
  await proxy.refuse();
  await sleep(AWAY_MS);
  await producer.close();
  await closeStores(stores);
  await proxy.close();
});
