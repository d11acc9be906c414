/** A load that stands still for longer than its locks hold, while others go on: as when its machine is suspended. */
import { afterEach, expect, it } from "@jest/globals";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { openFaultProxy, type FaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { beginCommand } from "../support/begun-command.ts";
import { addWorker } from "../support/further-worker.ts";
import { countCompanies, load, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

const proxies: FaultProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "4", LOCK_MS: "1000", COMPLETE_MIN_PERCENT: "0" };
const TAKEN_OVER = /another process .* since/;

const november = () => writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index < 100);

/** Begins a load whose batches no worker takes, and cuts it off from Redis until its locks have ended. */
async function beginFrozen(register: TestRegister) {
  const proxy = await openFaultProxy(register.config.REDIS_URL);
  proxies.push(proxy);
  const cutOff = { ...register, config: { ...register.config, REDIS_URL: proxy.address } };
  const loading = beginCommand(cutOff, loadCommand, [november()], { encoding: "utf-8" });
  const { redis } = register.stores;
  const fetchWaiting = async () =>
    (await fetchQueueState(redis, register.config.QUEUE_PREFIX, Date.now())).waiting;
  await waitUntil(async () => String(await fetchWaiting()) === SETTINGS.QUEUE_DEPTH, "its batches wait");
  await proxy.refuse();
  await waitUntil(async () => (await redis.locks.list()).length === 0, "its locks have ended");
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

it("ends without writing any more where another load has had its locks", async () => {
  const register = await newRegister(SETTINGS, false);
  const frozen = await beginFrozen(register);
  const stopWorker = addWorker(register);
  const december = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index >= 100);
  expect(await load(register, [december], { complete: "true" })).toMatchObject({ exitCode: 0 });
  expect(await countCompanies(register)).toBe(100);
  expect(await frozen.thaw()).toMatch(TAKEN_OVER);
  expect(await countCompanies(register)).toBe(100);
  // Nobody runs it: it is listed as interrupted.
  expect(await stateOf(register, frozen.id)).toBe("running");
  await stopWorker();
}, 120_000);

it("stays undone where it was undone meanwhile", async () => {
  const register = await newRegister(SETTINGS, false);
  const frozen = await beginFrozen(register);
  const stopWorker = addWorker(register);
  // It is refused while a worker holds one of the batches.
  const undo = () => register.run(loadsCommands.undo, [frozen.id], { yes: "true" });
  await waitUntil(async () => (await undo()).exitCode === 0, "it is undone");
  expect(await frozen.thaw()).toMatch(TAKEN_OVER);
  expect(await countCompanies(register)).toBe(0);
  expect(await stateOf(register, frozen.id)).toBe("undone");
  await stopWorker();
}, 120_000);

it("goes on where nobody else has had its locks", async () => {
  const register = await newRegister(SETTINGS, false);
  const frozen = await beginFrozen(register);
  const stopWorker = addWorker(register);
  expect(await frozen.thaw()).toBe("succeeded");
  expect(await countCompanies(register)).toBe(100);
  await stopWorker();
}, 120_000);
