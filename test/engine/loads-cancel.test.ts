/** Loads stopped by `loads cancel` or Ctrl-C: none of their batches stays in the queue, and they can be resumed. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { Worker } from "bullmq";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { cancelLock } from "../../ingest/commands/long-work.ts";
import {
  fetchLatestLoads,
  loadLock,
  newLoadId,
  writeLoad,
  type LoadRecord,
} from "../../ingest/history/loads.ts";
import { amendChange, enterChange } from "../../ingest/log/changes.ts";
import { fetchCounts } from "../../ingest/queue/queue-state.ts";
import { BATCH_QUEUE, openQueue, type BatchCounts, type BatchJob } from "../../ingest/queue/queue.ts";
import { beginCommand } from "../support/begun-command.ts";
import { addWaitingWorker, addWorker } from "../support/further-worker.ts";
import { COMPANIES, countCompanies, load, PARTS } from "../support/load-command.ts";
import { openTestProducer } from "../support/producer.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const newRegister = registersPerTest();
const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "6" };

async function countQueued({ stores, config }: TestRegister): Promise<number> {
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  try {
    const { waiting, delayed, active } = await fetchCounts(stores.redis, queue);
    return waiting + delayed + active;
  } finally {
    await queue.close();
  }
}

/** Waits until the load has filled the queue; returns the load's id. */
async function waitForQueue(register: TestRegister): Promise<string> {
  await waitUntil(
    async () => String(await countQueued(register)) === SETTINGS.QUEUE_DEPTH,
    "the queue is full",
  );
  const [record] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  return record?._id ?? "";
}

/** Stores a load that is running, or whose process was killed: nobody has its lock. */
async function writeRunning(documents: DocumentStore): Promise<LoadRecord> {
  const record: LoadRecord = {
    ...{ _id: newLoadId(new Date(), 0.5), state: "running", files: [COMPANIES], counts: noCounts() },
    started_at: new Date().toISOString(),
    plan: { encoding: "utf-8", limits: { rows: 10, bytes: 10_000 }, revision: 1, isComplete: false },
  };
  await writeLoad(documents, record);
  return record;
}

describe("a running load", () => {
  it("stops when it is cancelled, leaves no batch in the queue, and can be resumed", async () => {
    const register = await newRegister(SETTINGS, false);
    const loading = load(register, PARTS);
    const id = await waitForQueue(register);
    const dry = await register.run(loadsCommands.cancel, [id], { dryRun: "true" });
    expect(dry.printed).toEqual([`${id} would be stopped`]);
    const { exitCode, printed } = await register.run(loadsCommands.cancel, [id]);
    expect(exitCode).toBe(0);
    expect(printed).toEqual(
      expect.arrayContaining([`${id}: failed`, expect.stringMatching(/load --resume/)]),
    );
    const run = await loading;
    expect(run.messages).toContain("cancelled by `loads cancel`");
    expect(run.error?.message).toMatch(/^stopped/);
    expect(await countQueued(register)).toBe(0);
    expect(await register.stores.redis.locks.list()).toEqual([]);

    const stop = addWorker(register);
    const resumed = await load(register, [], { resume: id });
    await stop();
    expect(resumed.printed[0]).toMatch(/^read {6}200 rows/);
    const again = await register.run(loadsCommands.cancel, [id]);
    expect(again.error?.message).toBe(`the load ${id} has ended (succeeded): there is nothing to cancel`);
  });

  it("leaves no batch in the queue when Ctrl-C stops it", async () => {
    const register = await newRegister(SETTINGS, false);
    let isStopping = false;
    const loading = register.run(loadCommand, PARTS, { encoding: "utf-8" }, () => isStopping);
    await waitForQueue(register);
    isStopping = true;
    expect((await loading).error?.message).toMatch(/^stopped/);
    expect(await countQueued(register)).toBe(0);
  });

  it("can also be stopped after it queued its last rows, and counts what workers have written", async () => {
    const settings = { BATCH_ROWS: "2", QUEUE_DEPTH: "100", WORKER_CONCURRENCY: "1" };
    const register = await newRegister(settings, false);
    // A few batches a second, so that the sample takes about twenty seconds.
    const worker = addWaitingWorker(register, () => sleep(200));
    const loading = beginCommand(register, loadCommand, [COMPANIES], { encoding: "utf-8" });
    const hasAll = async () => worker.hasBegun() && (await countQueued(register)) > 80;
    await waitUntil(hasAll, "all batches are in the queue");
    loading.stop();
    await expect(loading.ended).rejects.toThrow(/^stopped; batches/);
    expect(await countQueued(register)).toBe(0);
    await worker.close();
    const [record] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(record?.counts.read).toBe(await countCompanies(register));
  });
});

it("a stopped load counts a batch that ends before it can be taken out of the queue", async () => {
  const { config, stores } = await newRegister({}, false);
  const [counts, seen] = [{ ...noCounts(), read: 3 }, [] as BatchCounts[]];
  const producer = await openTestProducer(stores.redis, config.QUEUE_PREFIX, {
    ...{ isStopping: () => true, onWritten: (some) => seen.push(some) },
    fetchDone: () => Promise.resolve(counts),
  });
  const row = { load: newLoadId(new Date(), 0.5), file: "a.csv", source: "company-csv", revision: 1 };
  await producer.add({ ...row, context: {}, rows: [] });
  const ofWorker = openStores(config, { forWorker: true });
  const worker = new Worker(BATCH_QUEUE, null, {
    ...{ connection: ofWorker.redis.connection, prefix: config.QUEUE_PREFIX },
  });
  const job = await worker.getNextJob("test");
  await job?.moveToCompleted(counts, "test", false);
  await worker.close();
  await closeStores(ofWorker);
  await producer.withdraw();
  await producer.close();
  expect(seen).toEqual([counts]);
});

it("a load that has written all before it notices its cancellation has succeeded, and is not continued", async () => {
  const { run, stores } = await newRegister({}, false);
  const { documents } = stores.mongo;
  const { locks } = stores.redis;
  const record = await writeRunning(documents);
  const lock = await locks.acquire(loadLock(record._id));
  const cancelling = run(loadsCommands.cancel, [record._id]);
  await waitUntil(
    async () => (await locks.list()).includes(cancelLock(record._id)),
    "the load is being cancelled",
  );
  await writeLoad(documents, { ...record, state: "succeeded" });
  await lock?.release();
  const { error, printed } = await cancelling;
  expect(printed).toEqual([]);
  expect(error?.message).toBe(`the load ${record._id} has ended (succeeded): there is nothing to cancel`);
});

it("cancelling a killed load ends it with what it has written, and removes its batches", async () => {
  const register = await newRegister(SETTINGS, false);
  const { documents } = register.stores.mongo;
  const record = await writeRunning(documents);
  const queue = openQueue(register.stores.redis, register.config.QUEUE_PREFIX);
  for (const revision of [1, 2, 3, 4])
    await queue.add("company-csv", {} as BatchJob, {
      jobId: `${record._id}-${revision}`,
      priority: revision,
    });
  await queue.add("company-csv", {} as BatchJob, { jobId: `${record._id}-21`, delay: 60_000 });
  await queue.add("company-csv", {} as BatchJob, { jobId: "20200101T000000000-0000-1" });
  await queue.close();
  const written = await enterChange(register.stores, { load: record._id, job: "1", ids: {}, revision: 1 });
  const counts = { ...noCounts(), read: 10, written: 10 };
  await amendChange(documents, written, { state: "written", counts });
  const { printed } = await register.run(loadsCommands.cancel, [record._id]);
  expect(printed).toEqual(
    expect.arrayContaining([
      `${record._id}: failed`,
      expect.stringMatching(/^read {6}10 rows/),
      "reason    cancelled after its process had been killed",
    ]),
  );
  expect(await countQueued(register)).toBe(1);
  expect(await fetchLatestLoads(documents, 1)).toMatchObject([{ state: "failed", counts }]);
});
