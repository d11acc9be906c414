/** A load or an undo that stands still for longer than its locks last, as when its machine is suspended. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { records } from "../../api/resources/index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { openFaultProxy, type FaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { beginCommand } from "../support/begun-command.ts";
import { changedCommand, sayingNo } from "../support/changed-command.ts";
import { addWorker } from "../support/further-worker.ts";
import { countCompanies, load, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

const proxies: FaultProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "4", LOCK_MS: "1000", COMPLETE_MIN_PERCENT: "0" };
const TAKEN_OVER = /paused for longer than LOCK_MS, and another one/;

const writeNovember = () =>
  writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index < 100);

/** Begins a load whose batches no worker takes, and cuts it off from Redis until its locks have expired. */
async function beginFrozen(register: TestRegister) {
  const proxy = await openFaultProxy(register.config.REDIS_URL);
  proxies.push(proxy);
  const cutOff = { ...register, config: { ...register.config, REDIS_URL: proxy.address } };
  const loading = beginCommand(cutOff, loadCommand, [writeNovember()], { encoding: "utf-8" });
  const { redis } = register.stores;
  const fetchWaiting = async () =>
    (await fetchQueueState(redis, register.config.QUEUE_PREFIX, Date.now())).waiting;
  await waitUntil(
    async () => String(await fetchWaiting()) === SETTINGS.QUEUE_DEPTH,
    "the load's batches wait",
  );
  await proxy.refuse();
  await waitUntil(async () => (await redis.locks.list()).length === 0, "the load's locks have expired");
  const [record] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const thaw = async () => {
    await proxy.restore();
    return loading.ended.then(
      () => "succeeded",
      ({ message }: Error) => message,
    );
  };
  return { id: record?._id ?? "", thaw };
}

const stateOf = async ({ stores }: TestRegister, id: string) =>
  (await fetchLatestLoads(stores.mongo.documents)).find(({ _id }) => _id === id)?.state;

it("a load that stood still stops writing if another load had its locks meanwhile", async () => {
  const register = await newRegister(SETTINGS, false);
  const frozen = await beginFrozen(register);
  const stopWorker = addWorker(register);
  const december = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index >= 100);
  expect(await load(register, [december], { complete: "true" })).toMatchObject({ exitCode: 0 });
  expect(await countCompanies(register)).toBe(100);
  expect(await frozen.thaw()).toMatch(TAKEN_OVER);
  expect(await countCompanies(register)).toBe(100);
  // No process runs it, so it is listed as interrupted.
  expect(await stateOf(register, frozen.id)).toBe("running");
  await stopWorker();
});

it("a load that stood still stays undone if it was undone meanwhile", async () => {
  const register = await newRegister(SETTINGS, false);
  const frozen = await beginFrozen(register);
  const stopWorker = addWorker(register);
  // The undo is refused while a worker holds one of the batches.
  const undo = () => register.run(loadsCommands.undo, [frozen.id], { yes: "true" });
  await waitUntil(async () => (await undo()).exitCode === 0, "the load is undone");
  expect(await frozen.thaw()).toMatch(TAKEN_OVER);
  expect(await countCompanies(register)).toBe(0);
  expect(await stateOf(register, frozen.id)).toBe("undone");
  await stopWorker();
});

it("a load that stood still continues if nobody else had its locks", async () => {
  const register = await newRegister(SETTINGS, false);
  const frozen = await beginFrozen(register);
  const stopWorker = addWorker(register);
  expect(await frozen.thaw()).toBe("succeeded");
  expect(await countCompanies(register)).toBe(100);
  await stopWorker();
});

/** Stores whose locks count as lost once `isLost` returns true. `onNote` gets the notes of a load's steps. */
function withLocks(stores: Stores, isLost: () => boolean, onNote?: (note: string) => void): Stores {
  const { redis } = stores;
  const acquire: typeof redis.locks.acquire = async (name) => {
    const lock = await redis.locks.acquire(name);
    if (!lock) return null;
    const note: typeof lock.note = (text) => {
      onNote?.(text);
      return lock.note(text);
    };
    return { ...lock, note, isKept: async () => !isLost() && (await lock.isKept()) };
  };
  return { ...stores, redis: { ...redis, locks: { ...redis.locks, acquire } } };
}

describe("a command that has to end early", () => {
  let register: TestRegister;
  beforeAll(async () => {
    register = await openRegister({ settings: { COMPLETE_MIN_PERCENT: "0" } });
  });
  afterAll(() => register.close());

  it.each([
    ["looking for stored records that the edition lacks", 20],
    ["updating the search", 10],
  ])("a load writes no more after it loses its locks while %s", async (step, left) => {
    const all = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index < 20);
    await load(register, [all], { force: "true" });
    const half = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index < 10);
    let isLost = false;
    const onNote = (note: string) => void (isLost ||= note.includes(step));
    const losing = changedCommand(loadCommand, ({ openStores }) => ({
      openStores: () => withLocks(openStores(), () => isLost, onNote),
    }));
    const options = { encoding: "utf-8", complete: "true", force: "true" };
    const { error } = await register.run(losing, [half], options);
    expect(error?.message).toMatch(TAKEN_OVER);
    expect(await countCompanies(register)).toBe(left);
    const [latest] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(latest?.state).toBe("running");
  });

  it.each([
    ["its locks are lost", false, TAKEN_OVER],
    ["it is stopped", true, /^stopped; run this again to undo the rest$/],
  ])(
    "an undo removes no further kind of record once %s; another undo removes the rest",
    async (_why, isStop, reason) => {
      const { mongo } = register.stores;
      const both = records.filter(({ collection }) => ["charges", "insolvency"].includes(collection));
      const files = both.map(({ collection }) => `${SAMPLE}/api-shaped/${collection}.jsonl`);
      expect(await load(register, files)).toMatchObject({ exitCode: 0 });
      const [{ _id: id } = { _id: "" }] = await fetchLatestLoads(mongo.documents, 1);
      const count = () => Promise.all(both.map((record) => mongo.records.count(record, {})));
      const before = await count();
      expect(await register.run(sayingNo(loadsCommands.undo), [id])).toMatchObject({ exitCode: 1 });
      expect(await count()).toEqual(before);
      let kinds = 0;
      const disturbed = changedCommand(loadsCommands.undo, ({ openStores }) => ({
        isStopping: () => (kinds += 1) > 1 && isStop,
        openStores: () => withLocks(openStores(), () => kinds > 1 && !isStop),
      }));
      const undo = (command: typeof disturbed) => register.run(command, [id], { yes: "true" });
      expect((await undo(disturbed)).error?.message).toMatch(reason);
      expect((await count()).filter((left) => left > 0)).toHaveLength(1);
      expect(await undo(loadsCommands.undo)).toMatchObject({ exitCode: 0 });
      expect(await count()).toEqual([0, 0]);
    },
  );
});
