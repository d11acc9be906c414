/** Loads that are stopped, by `loads cancel` or Ctrl-C: nothing of them stays in the queue, and they can be resumed. */
import { describe, expect, it } from "@jest/globals";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { fetchLatestLoads, newLoadId, writeLoad, type LoadRecord } from "../../ingest/history/loads.ts";
import { amendChange, enterChange } from "../../ingest/log/changes.ts";
import { fetchCounts } from "../../ingest/queue/queue-state.ts";
import { openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { startWorker } from "../../ingest/worker.ts";
import { COMPANIES, load, PARTS } from "../support/load-command.ts";
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

async function waitForQueue(register: TestRegister): Promise<string> {
  await waitUntil(async () => (await countQueued(register)) === 6, "the queue is full");
  const [record] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  return record?._id ?? "";
}

describe("a load that runs", () => {
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
    expect(run.told).toContain("cancelled by `loads cancel`");
    expect(run.error?.message).toMatch(/^stopped/);
    expect(await countQueued(register)).toBe(0);
    expect(await register.stores.redis.locks.list()).toEqual([]);

    const stores = openStores(register.config, { forWorker: true });
    const stop = startWorker(register.config, stores, createLogger("silent", "worker"));
    const resumed = await load(register, [], { resume: id });
    await stop();
    await closeStores(stores);
    expect(resumed.printed[0]).toMatch(/^read {6}200 rows/);
    const again = await register.run(loadsCommands.cancel, [id]);
    expect(again.error?.message).toBe(`the load ${id} has ended (succeeded): there is nothing to cancel`);
  });

  it("leaves no batch in the queue either when Ctrl-C stops it", async () => {
    const register = await newRegister(SETTINGS, false);
    let isStopping = false;
    const loading = register.run(loadCommand, PARTS, { encoding: "utf-8" }, () => isStopping);
    await waitForQueue(register);
    isStopping = true;
    expect((await loading).error?.message).toMatch(/^stopped/);
    expect(await countQueued(register)).toBe(0);
  });
});

it("a load whose process was killed is ended with what it has written, and its batches go", async () => {
  const register = await newRegister(SETTINGS, false);
  const { documents } = register.stores.mongo;
  const record: LoadRecord = {
    ...{ _id: newLoadId(new Date(), 0.5), state: "running", files: [COMPANIES], counts: noCounts() },
    started_at: new Date().toISOString(),
    plan: { encoding: "utf-8", limits: { rows: 10, bytes: 10_000 }, revision: 1, isComplete: false },
  };
  await writeLoad(documents, record);
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
