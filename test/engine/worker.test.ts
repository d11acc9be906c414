/** A worker and a load together: retries, lasting faults, queue depth and lost batches. */
import { afterEach, describe, expect, it } from "@jest/globals";
import { Queue } from "bullmq";
import { DeniedError, UnavailableError } from "../../api/shared/runtime/errors.ts";
import { createMetrics } from "../../api/shared/metrics/metrics.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { openProducer } from "../../ingest/queue/producer.ts";
import { BATCH_QUEUE, BATCH_RETRIES } from "../../ingest/queue/queue.ts";
import { addWorker } from "../support/further-worker.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { sampleOf } from "../support/scrape.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { waitUntil } from "../support/wait-until.ts";

const ZIP = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(settings: Record<string, string> = {}): Promise<TestRegister> {
  const register = await openRegister({ withWorker: false, settings });
  closers.push(register.close);
  return register;
}

type Write = Stores["elasticsearch"]["write"];

/** Starts a worker whose writes to Elasticsearch go through `wrap`. Returns a function that counts batches it ended. */
function work(register: TestRegister, wrap: (write: Write) => Write = (write) => write) {
  const metrics = createMetrics("worker");
  const change = ({ elasticsearch, ...others }: Stores) => {
    return { ...others, elasticsearch: { ...elasticsearch, write: wrap(elasticsearch.write) } };
  };
  closers.push(addWorker(register, change, metrics));
  return async (outcome: string) =>
    sampleOf(await metrics.write(), "batch_seconds_count", { source: "company-csv", outcome });
}

function companyLine(number: string): string {
  const data = { company_number: number, company_name: "A LIMITED", type: "ltd" };
  const uri = `/company/${number}`;
  return JSON.stringify({ resource_kind: "company-profile", resource_uri: uri, resource_id: number, data });
}

async function withQueue<T>(register: TestRegister, ask: (queue: Queue) => Promise<T>): Promise<T> {
  const { connection } = register.stores.redis;
  const queue = new Queue(BATCH_QUEUE, { connection, prefix: register.config.QUEUE_PREFIX });
  return ask(queue).finally(() => queue.close());
}

describe("a worker", () => {
  it.each([
    ["is unavailable", new UnavailableError("elasticsearch", "away")],
    ["cannot read its users yet", new DeniedError("elasticsearch", "failed to authenticate")],
  ])("retries a batch when Elasticsearch %s, and loses nothing", async (_how, fault) => {
    const register = await open({ BATCH_ROWS: "50" });
    let failures = 3;
    const count = work(register, (write) => (index, writes) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(fault) : write(index, writes);
    });
    expect(await register.load(ZIP)).toMatchObject({ exitCode: 0 });
    expect([await count("retried"), await count("done")]).toEqual([3, 4]);
    expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(200);
    expect(await register.stores.elasticsearch.count("companies")).toBe(200);
  });

  it("gives up at once on a lasting fault; the load gives the reason, and the failed batch stays", async () => {
    const register = await open();
    const count = work(register, () => () => Promise.reject(new Error("mapping does not fit")));
    const run = await register.load(ZIP);
    expect(await count("failed")).toBe(1);
    expect(run.error?.message).toMatch(/BasicCompanyDataAsOneFile.*from line 2: mapping does not fit/);
    expect(await withQueue(register, (queue) => queue.getFailedCount())).toBe(1);
  });
});

describe("a load", () => {
  it("waits until batches are written before it queues more, and leaves nothing in the queue", async () => {
    const register = await open({ BATCH_ROWS: "10", QUEUE_DEPTH: "2" });
    const count = () => withQueue(register, (queue) => queue.getPrioritizedCount());
    const loading = register.load(ZIP);
    await waitUntil(async () => (await count()) === 2, "two batches waiting");
    // No worker runs: within this time a third batch would have been queued.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await count()).toBe(2);
    work(register);
    expect(await loading).toMatchObject({ exitCode: 0 });
    expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(200);
    const counts = await withQueue(register, (queue) => queue.getJobCounts());
    expect(Object.values(counts).reduce((sum, value) => sum + value, 0)).toBe(0);
  });

  it("can be stopped while no worker runs, and leaves no batch in the queue", async () => {
    const register = await open();
    const stopsAt = Date.now() + 1_500;
    const path = `${SAMPLE}/${ZIP}`;
    const isStopping = () => Date.now() > stopsAt;
    const run = await register.run(loadCommand, [path], { encoding: "utf-8" }, isStopping);
    expect(run.error?.message).toMatch(/stopped/);
    expect(await withQueue(register, (queue) => queue.getPrioritizedCount())).toBe(0);
  });

  it("queues its batches again if Redis has lost them", async () => {
    const register = await open();
    const loading = register.load(ZIP);
    await waitUntil(
      async () => (await withQueue(register, (queue) => queue.getPrioritizedCount())) === 1,
      "a batch waiting",
    );
    await withQueue(register, (queue) => queue.obliterate({ force: true }));
    work(register);
    expect(await loading).toMatchObject({ exitCode: 0 });
    expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(200);
  });

  it("notices a batch that was done before it was added, even after a failed first attempt", async () => {
    const register = await open();
    let failures = 1;
    work(register, (write) => (index, writes) => {
      failures -= 1;
      return failures >= 0
        ? Promise.reject(new UnavailableError("elasticsearch", "away"))
        : write(index, writes);
    });
    const job = {
      ...{ load: "a-load", file: "a.jsonl", source: "api-json-lines", context: {} },
      revision: 1,
    };
    const batch = { ...job, rows: [{ line: 1, text: companyLine("99000001") }] };
    await withQueue(register, async (queue) => {
      const added = await queue.add(batch.source, batch, { ...BATCH_RETRIES, jobId: "a-load-1" });
      await waitUntil(() => added.isCompleted(), "the batch is done");
    });
    const written: number[] = [];
    const producer = await openProducer(register.stores.redis, {
      ...{ prefix: register.config.QUEUE_PREFIX, depth: 1, patienceMs: 1_000, isStopping: () => false },
      fetchDone: () => Promise.resolve(null),
      onUnavailable: () => undefined,
      onWritten: (counts) => written.push(counts.written),
    });
    // The queue already has a batch with this id, so no further event will come.
    await producer.add(batch);
    await producer.drain();
    expect(written).toEqual([1]);
    await producer.close();
  });
});
