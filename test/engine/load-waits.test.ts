/**
 * What a load waits for before it writes: loads of the same kind of record, engines that fail for a moment, and workers
 * that still write batches of a load that was stopped or killed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { Worker } from "bullmq";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import type { Members } from "../../api/shared/values/members.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { fetchLatestLoads, newLoadId, writeLoad, type LoadRecord } from "../../ingest/history/loads.ts";
import { lockKinds } from "../../ingest/load/kind-locks.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { BATCH_QUEUE, openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { beginCommand } from "../support/begun-command.ts";
import { changedCommand } from "../support/changed-command.ts";
import { company, fetchNameOnRecord, NUMBER } from "../support/event-batches.ts";
import { addPausedWorker, addWorker } from "../support/further-worker.ts";
import {
  COMPANIES,
  countCompanies,
  load,
  PSC,
  STOPPED,
  writeEdition,
  writeFile,
} from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openTestProducer } from "../support/producer.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { waitUntil } from "../support/wait-until.ts";

// After this time a connection pauses between two attempts to reconnect.
const AWAY_MS = 2_000;
const FULL = new UnavailableError("redis", "its memory is full");
const WAITS = /^workers still write batches of load \S+, which has ended; this load waits for them$/;

const folder = makeOwnFolder();
const newRegister = registersPerTest();

/** Locks these kinds of record as a load does; `tell` gets what it reports while it waits. */
const lockAsLoad = (
  { stores }: TestRegister,
  kinds: string[],
  wait: Partial<Parameters<typeof lockKinds>[2]> = {},
) => lockKinds(stores.redis, kinds, { isStopping: () => false, tell: () => undefined, ...wait });
const listWriteLocks = async ({ stores }: TestRegister) =>
  (await stores.redis.locks.list()).filter((name) => name.startsWith("write:"));
const waitForLoads = ({ stores }: TestRegister, count: number) =>
  waitUntil(
    async () => (await stores.mongo.documents.listLatest("loads", count)).length === count,
    "the load has begun",
  );

it("a second load waits until the first has ended, and a load of another kind does not", async () => {
  const register = await newRegister();
  const { release } = await lockAsLoad(register, [companyRecord.collection]);
  expect(await load(register, PSC)).toMatchObject({ exitCode: 0 });
  // A file that may contain any kind is judged by its lines.
  expect(await load(register, [`${SAMPLE}/streams/filings.ndjson`])).toMatchObject({ exitCode: 0 });
  let isOver = false;
  const second = load(register, [COMPANIES]).then((run) => ((isOver = true), run));
  await waitForLoads(register, 3);
  expect(await countCompanies(register)).toBe(0);
  expect(isOver).toBe(false);
  await release();
  expect(await second).toMatchObject({ exitCode: 0 });
  expect(await countCompanies(register)).toBe(200);
  expect(await listWriteLocks(register)).toEqual([]);
});

it("a load that waited counts as later than what was written meanwhile, though it began earlier", async () => {
  const register = await newRegister();
  const { redis } = register.stores;
  const { release } = await lockAsLoad(register, [companyRecord.collection]);
  const waiting = load(register, [
    writeFile(folder, "waits.jsonl", `${JSON.stringify(company("WAITED LIMITED"))}\n`),
  ]);
  await waitForLoads(register, 1);
  const { data } = company("WRITTEN MEANWHILE LIMITED") as { data: Members };
  const revision = await redis.nextRevision(0);
  const incoming = [{ id: NUMBER, statements: [{ at: "2026-11-01", place: revision, data }] }];
  await BatchChange.write(register.stores, { load: "b", job: "b-1", revision }, companyRecord, incoming);
  await release();
  expect(await waiting).toMatchObject({ exitCode: 0 });
  expect(await fetchNameOnRecord(register.stores)).toBe("WAITED LIMITED");
});

it("a load that waits for another one reports it once", async () => {
  const register = await newRegister({}, false);
  const notes: string[] = [];
  const tell = (note: string) => void notes.push(note);
  const first = await lockAsLoad(register, [pscRecord.collection, companyRecord.collection]);
  const waiting = lockAsLoad(register, [companyRecord.collection], { tell });
  await waitUntil(() => Promise.resolve(notes.length > 0), "the second one waits");
  await first.release();
  await (await waiting).release();
  expect(notes).toEqual(["another load writes companies; this load waits until it has ended"]);
});

it("two loads of one file at once end as one after the other", async () => {
  const register = await newRegister({ BATCH_ROWS: "20" });
  const edition = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-12-01.csv", () => true);
  const runs = await Promise.all([load(register, [edition]), load(register, [edition])]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const written = runs.map(({ printed }) => printed.find((line) => line.startsWith("written")));
  expect(written.sort()).toEqual([expect.stringMatching(/ 0$/), expect.stringMatching(/ 200$/)]);
});

it("a waiting load stops on request, and leaves no lock", async () => {
  const register = await newRegister({}, false);
  const { release } = await lockAsLoad(register, [companyRecord.collection]);
  const both = [pscRecord.collection, companyRecord.collection];
  const waiting = lockAsLoad(register, both, { isStopping: () => true });
  await expect(waiting).rejects.toThrow(/stopped while it waited for another load/);
  await release();
  expect(await listWriteLocks(register)).toEqual([]);
});

/** Loads the companies with these stores, and waits half a second at most. */
function loadWith(register: TestRegister, stores: Stores) {
  const impatient = changedCommand(loadCommand, ({ config }) => ({
    config: { ...config, STORE_TIMEOUT_MS: 125 },
    openStores: () => stores,
  }));
  return register.run(impatient, [COMPANIES], {});
}

it("a load waits for a Redis that takes no writes for a moment", async () => {
  const register = await newRegister();
  const { redis } = register.stores;
  let refusals = 2;
  const nextRevision = (above: number) => (refusals-- > 0 ? Promise.reject(FULL) : redis.nextRevision(above));
  const { messages, error } = await loadWith(register, {
    ...register.stores,
    redis: { ...redis, nextRevision },
  });
  expect(error).toBeUndefined();
  expect(messages[0]).toMatch(/^redis is not available: its memory is full; the load waits for it/);
  expect(await countCompanies(register)).toBe(200);
});

it.each<[string, (stores: Stores) => Stores]>([
  [
    "Redis stays full",
    (stores) => ({ ...stores, redis: { ...stores.redis, nextRevision: () => Promise.reject(FULL) } }),
  ],
  [
    "the remains of earlier loads cannot be cleaned up",
    ({ mongo, ...others }) => {
      const fetchAll = () => Promise.reject(new Error("made up"));
      return { ...others, mongo: { ...mongo, documents: { ...mongo.documents, fetchAll } } };
    },
  ],
  [
    "Elasticsearch is unavailable",
    ({ elasticsearch, ...others }) => ({
      ...others,
      elasticsearch: { ...elasticsearch, ping: () => Promise.reject(new Error("made up")) },
    }),
  ],
])("a load is listed as failed, with the reason, when %s", async (_why, breaking) => {
  const register = await newRegister({}, false);
  const { error } = await loadWith(register, breaking(register.stores));
  expect(error?.message).toMatch(/its memory is full|made up/);
  const [listed] = await fetchLatestLoads(register.stores.mongo.documents, 9);
  expect(listed).toMatchObject({ state: "failed", reason: error?.message, files: [COMPANIES] });
  expect(await register.stores.redis.locks.list()).toEqual([]);
});

it("a load waits for a batch of a stopped load that a worker holds, so that nothing is written beside it", async () => {
  const register = await newRegister({ BATCH_ROWS: "20" }, false);
  const worker = addPausedWorker(register);
  const first = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index < 5);
  const next = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index >= 5);
  let isStopping = false;
  const stopped = register.run(loadCommand, [first], { encoding: "utf-8" }, () => isStopping);
  await waitUntil(() => Promise.resolve(worker.hasBegun()), "a worker writes the batch");
  isStopping = true;
  expect((await stopped).error?.message).toMatch(STOPPED);
  const loading = beginCommand(register, loadCommand, [next], { encoding: "utf-8", complete: "true" });
  await waitUntil(
    () => Promise.resolve(loading.messages.some((line) => WAITS.test(line)) || loading.hasEnded()),
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

it("a load removes queued batches of a killed load, and of one that a restored MongoDB does not know", async () => {
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

it("a load says that no worker runs if a worker died over another load's batch", async () => {
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
    Promise.resolve(loading.messages.some((line) => line.startsWith("batches are waiting, but no worker")));
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

it("the producer of a load closes even while its connection to Redis pauses before it reconnects", async () => {
  const register = await newRegister({}, false);
  const proxy = await openFaultProxy(register.config.REDIS_URL);
  const stores = openStores({ ...register.config, REDIS_URL: proxy.address });
  const producer = await openTestProducer(stores.redis, register.config.QUEUE_PREFIX);
  await proxy.refuse();
  await sleep(AWAY_MS);
  await producer.close();
  await closeStores(stores);
  await proxy.close();
});
