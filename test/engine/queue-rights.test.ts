/** Queue connections whose Redis user lacks a right that BullMQ needs: Redis answers, but refuses. */
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import { DeniedError } from "../../api/shared/runtime/errors.ts";
import type { Logger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { openProducer } from "../../ingest/queue/producer.ts";
import { BATCH_QUEUE } from "../../ingest/queue/queue.ts";
import { startWorker } from "../../ingest/worker.ts";
import { testConfig } from "../support/register.ts";

const config = testConfig();
const USER = `limited-${config.QUEUE_PREFIX}`;
let admin: Stores;
const closers: (() => Promise<void>)[] = [];
beforeAll(() => {
  admin = openStores(config);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await admin.redis.connection.call("ACL", "DELUSER", USER);
  await closeStores(admin);
});

/** Opens stores with a Redis user who has every right but this one. */
async function openWithout(right: string, forWorker: boolean): Promise<Stores> {
  const rules = ["reset", "on", ">secret", "~*", "&*", "+@all", `-${right}`];
  await admin.redis.connection.call("ACL", "SETUSER", USER, ...rules);
  const url = Object.assign(new URL(config.REDIS_URL), { username: USER, password: "secret" });
  const stores = openStores({ ...config, REDIS_URL: url.href }, { forWorker });
  closers.push(() => closeStores(stores));
  return stores;
}

async function countConnections(): Promise<number> {
  const clients = String(await admin.redis.connection.client("LIST")).split("\n");
  return clients.filter((client) => client.includes(`user=${USER} `)).length;
}

it("a worker that may not take batches retries every second, not as fast as it can", async () => {
  const queue = new Queue(BATCH_QUEUE, { connection: admin.redis.connection, prefix: config.QUEUE_PREFIX });
  closers.push(() => queue.close());
  await queue.addBulk(Array.from({ length: 100 }, () => ({ name: "waits", data: {} })));
  const stores = await openWithout("@scripting", true);
  let complaints = 0;
  const log = { error: () => (complaints += 1), warn: () => undefined } as unknown as Logger;
  const stop = startWorker(config, stores, log);
  closers.push(stop);
  await sleep(3_000);
  expect(complaints).toBeGreaterThan(0);
  // One line a second, and some of its other work; without a pause it would be thousands a second.
  expect(complaints).toBeLessThan(100);
});

it("a producer that fails to open leaves no connection behind", async () => {
  const stores = await openWithout("info", false);
  const options = { prefix: config.QUEUE_PREFIX, depth: 1, patienceMs: 1_000 };
  const callbacks = { onUnavailable: () => undefined, onWritten: () => undefined, isStopping: () => false };
  await expect(
    openProducer(stores.redis, { ...options, ...callbacks, fetchDone: () => Promise.resolve(null) }),
  ).rejects.toThrow(DeniedError);
  await stores.redis.close();
  await sleep(500);
  expect(await countConnections()).toBe(0);
});
