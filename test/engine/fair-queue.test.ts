/** Loads that run at once share the workers: a small one does not wait for a large one. */
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "bullmq";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { BATCH_QUEUE, type BatchCounts, type BatchJob } from "../../ingest/queue/queue.ts";
import { openTestProducer } from "../support/producer.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";

const DEPTH = 16;
const BATCH_MS = 20;

let register: TestRegister;
let workerStores: Stores;
let worker: Worker<BatchJob, BatchCounts>;
/** The load of each batch, in the order of writing. */
let written: string[] = [];
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
  const write = async ({ data }: { data: BatchJob }) => {
    await sleep(BATCH_MS);
    written.push(data.load);
    return noCounts();
  };
  workerStores = openStores(register.config, { forWorker: true });
  const { QUEUE_PREFIX: prefix } = register.config;
  worker = new Worker(BATCH_QUEUE, write, { connection: workerStores.redis.connection, prefix });
});
beforeEach(() => void (written = []));
afterAll(async () => {
  await worker.close();
  await closeStores(workerStores);
  await register.close();
});

/** Adds batches as a load does. `isOrdered` makes each wait for the one before, as in a daily update. */
async function runLoad(
  load: string,
  { batches, isOrdered = false }: { batches: number; isOrdered?: boolean },
) {
  const { config, stores } = register;
  const producer = await openTestProducer(stores.redis, config.QUEUE_PREFIX, { depth: DEPTH });
  for (let revision = 0; revision < batches; revision += 1) {
    if (isOrdered) await producer.drain();
    await producer.add({ load, revision, file: "a.csv", source: "company-csv", context: {}, rows: [] });
  }
  await producer.drain();
  await producer.close();
}

/** Counts the large load's batches written between the start and the end of the small load. */
async function runBeside(small: { batches: number; isOrdered?: boolean }): Promise<number> {
  const large = runLoad("large", { batches: 8 * DEPTH });
  await waitUntil(() => Promise.resolve(written.length >= DEPTH), "the large load fills the queue");
  const before = written.length;
  await runLoad("small", small);
  const between = written.slice(before, written.lastIndexOf("small"));
  await large;
  return between.filter((load) => load === "large").length;
}

it("a small load waits for about as many batches of a large one as it has itself", async () => {
  expect(await runBeside({ batches: 5 })).toBeLessThanOrEqual(5 + 3);
}, 60_000);

it("a small load whose batches are written one after the other waits little longer", async () => {
  expect(await runBeside({ batches: 5, isOrdered: true })).toBeLessThanOrEqual(5 + 5 + 3);
}, 60_000);

it("two large loads take turns", async () => {
  await Promise.all([runLoad("one", { batches: 4 * DEPTH }), runLoad("other", { batches: 4 * DEPTH })]);
  const half = written.slice(0, 4 * DEPTH);
  const ofOne = half.filter((load) => load === "one").length;
  expect(ofOne).toBeGreaterThan(DEPTH);
  expect(ofOne).toBeLessThan(3 * DEPTH);
}, 60_000);
