/** What a load does about what an outage, or a process that was killed, has left in its way. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, it } from "@jest/globals";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { openProducer } from "../../ingest/queue/producer.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

// By then a connection waits for some time between two tries.
const AWAY_MS = 2_000;

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

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
