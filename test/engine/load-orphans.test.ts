/** What a load does about what an outage, or a process that was killed, has left in its way. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { closeStores, openStores } from "../../api/core/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { pauseRefresh } from "../../ingest/load/refresh-pause.ts";
import { openProducer } from "../../ingest/queue/batch-producer.ts";
import { openFaultProxy } from "../support/faults/fault-proxy.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

// By then a connection waits for some time between two tries.
const AWAY_MS = 2_000;

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

it("a load that is gone on with takes over the pause of refresh of its process that was killed, and ends it", async () => {
  const { stores } = register;
  const names = indices.map(({ name }) => name);
  // The killed process: it neither ends its pause nor gives its lock back.
  const killed = await stores.redis.locks.acquire("refresh-pause:a-load");
  await stores.elasticsearch.setRefresh(names, false);
  const endPause = await pauseRefresh(stores, "a-load");
  expect(await stores.elasticsearch.isRefreshOff(names)).toBe(true);
  await endPause();
  expect(await stores.elasticsearch.isRefreshOff(names)).toBe(false);
  expect(await stores.redis.locks.list()).toEqual([]);
  await killed?.release();
});

it("a lock that somebody holds is taken over only by who knows that its holder has ended", async () => {
  const { locks } = register.stores.redis;
  const held = await locks.acquire("a-lock");
  expect(await locks.acquire("a-lock")).toBeNull();
  const heir = await locks.takeOver("a-lock");
  expect(await heir.isHeld()).toBe(true);
  expect(await held?.isHeld()).toBe(false);
  await held?.release();
  expect(await locks.list()).toEqual(["a-lock"]);
  await heir.release();
});

it("a load that ends while its connection to Redis waits to be made anew ends all the same", async () => {
  const proxy = await openFaultProxy(register.config.REDIS_URL);
  const stores = openStores({ ...register.config, REDIS_URL: proxy.address });
  const producer = await openProducer(stores.redis, {
    ...{ prefix: register.config.QUEUE_PREFIX, depth: 1, patienceMs: 1_000 },
    ...{ onAway: () => undefined, onWritten: () => undefined, isStopping: () => false },
    fetchDone: () => Promise.resolve(null),
  });
  await proxy.refuse();
  await sleep(AWAY_MS);
  await producer.close();
  await closeStores(stores);
  await proxy.close();
});
