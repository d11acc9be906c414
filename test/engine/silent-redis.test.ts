/** A Redis that accepts connections and does not answer: callers get an error in time, and can continue later. */
import { afterEach, expect, it } from "@jest/globals";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { within } from "../../api/shared/runtime/deadlines.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { openRedis, type RedisStore } from "../../api/shared/stores/redis/redis.ts";
import { openProducer } from "../../ingest/queue/producer.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { testConfig } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";

const config = testConfig();
const TIMEOUT_MS = 500;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** With `forWorker`, commands wait until Redis is back; otherwise they fail when the connection closes. */
function open(url: string, forWorker = false): RedisStore {
  const store = openRedis({
    url,
    prefix: config.QUEUE_PREFIX,
    timeoutMs: TIMEOUT_MS,
    lockMs: 3_000,
    forWorker,
  });
  closers.push(() => store.close());
  return store;
}

/** Opens a server that reads and never answers; returns its address. */
function openSilent(): Promise<string> {
  return openServer((socket) => socket.resume());
}

/** Opens a server that calls `treat` with each connection; returns its address. */
async function openServer(treat: (socket: Socket) => unknown): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a server that refuses scripts with this error, and accepts all else; `onConnection` is called for each. */
function openRefusing(refusal: string, onConnection: () => void = () => undefined): Promise<string> {
  return openServer((socket) => {
    onConnection();
    socket.on("data", (bytes: Buffer) => {
      for (const [, name = ""] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(/^eval$/i.test(name) ? `-${refusal}\r\n` : "+OK\r\n");
    });
  });
}

const OPERATIONS: [string, (store: RedisStore) => Promise<unknown>][] = [
  ["the revision clock", (store) => store.nextRevision(0)],
  ["a lock", (store) => store.locks.acquire("some")],
  ["the list of locks", (store) => store.locks.list()],
  ["the count of calls", (store) => store.counters.add("calls", 1_000)],
  ["the state that doctor shows", (store) => store.health.fetchState()],
  ["a ping", (store) => store.ping()],
  ["the state of the queue", (store) => fetchQueueState(store, config.QUEUE_PREFIX, Date.now())],
];

it.each([
  ["a command line or the API", false],
  ["a worker", true],
])("a Redis that was silent from the start is unavailable for %s", async (_whose, forWorker) => {
  const store = open(await openSilent(), forWorker);
  const outcomes = await Promise.all(OPERATIONS.map(([, operate]) => operate(store).catch(toSentence)));
  const late = `redis is not available: no answer within ${TIMEOUT_MS} ms`;
  expect(Object.fromEntries(OPERATIONS.map(([what], position) => [what, outcomes[position]]))).toEqual(
    Object.fromEntries(OPERATIONS.map(([what]) => [what, late])),
  );
});

it("a Redis that falls silent is unavailable, and works as before once it answers again", async () => {
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  const store = open(proxy.address);
  const lock = await store.locks.acquire("kept");
  const first = await store.nextRevision(0);
  proxy.freeze();
  await expect(store.nextRevision(0)).rejects.toThrow(UnavailableError);
  await expect(lock?.isHeld()).rejects.toThrow(UnavailableError);
  await proxy.restore();
  expect(await store.nextRevision(0)).toBeGreaterThan(first);
  expect(await lock?.isHeld()).toBe(true);
  await lock?.release();
});

it("a Redis that comes back keeps no lock for a caller that gave up", async () => {
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  await proxy.refuse();
  const store = open(proxy.address, true);
  await expect(store.locks.acquire("given up")).rejects.toThrow(UnavailableError);
  await proxy.restore();
  // Redis gets commands in the order in which they were given.
  await store.ping();
  const other = await open(config.REDIS_URL).locks.acquire("given up");
  expect(other).not.toBeNull();
  await other?.release();
});

it("a connection to a silent Redis can be closed, without unhandled rejections", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  closers.push(() => process.off("unhandledRejection", note));
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  const store = open(proxy.address);
  await store.ping();
  proxy.freeze();
  await Promise.all(OPERATIONS.map(([, operate]) => operate(store).catch(toSentence)));
  // The commands are still pending: the end of the connection rejects them.
  const isEnded = once(store.connection, "end");
  await store.close();
  await isEnded;
  // Node reports unhandled rejections after the pending promises have run.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

it("closing a connection that is waiting to reconnect rejects commands given meanwhile", async () => {
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  await proxy.refuse();
  const store = open(proxy.address);
  await new Promise((resolve) => store.connection.once("reconnecting", resolve));
  const asked = store.connection.ping();
  await store.close();
  await expect(within(10_000, asked)).rejects.toThrow("Connection is closed");
});

it("a Redis that falls silent during a load is reported to the load, whose patience then ends", async () => {
  const proxy = await openFaultProxy(config.REDIS_URL);
  closers.push(() => proxy.close());
  let outages = 0;
  const producer = await openProducer(open(proxy.address), {
    ...{ prefix: config.QUEUE_PREFIX, depth: 1, patienceMs: 1_000, isStopping: () => false },
    ...{
      onUnavailable: () => (outages += 1),
      onWritten: () => undefined,
      fetchDone: () => Promise.resolve(null),
    },
  });
  proxy.freeze();
  const job = { load: "a-load", file: "a.jsonl", source: "api-json-lines", context: {}, revision: 1 };
  await expect(producer.add({ ...job, rows: [] })).rejects.toThrow(UnavailableError);
  expect(outages).toBe(1);
  await producer.close();
});

it("reconnects when the primary has become a replica, since its name may point to the new primary", async () => {
  let connections = 0;
  const refusal = "READONLY You can't write against a read only replica.";
  const store = open(await openRefusing(refusal, () => (connections += 1)));
  await expect(store.nextRevision(0)).rejects.toThrow(UnavailableError);
  await waitUntil(() => Promise.resolve(connections > 1), "a second connection");
}, 10_000);

it.each([
  [
    "OOM command not allowed when used memory > 'maxmemory'. script: 5ca1, on @user_script:6.",
    /its memory is full/,
  ],
  [
    "ERR Error running script (call to f_5ca1): @user_script:6: -OOM command not allowed when used memory > 'maxmemory'.",
    /its memory is full/,
  ],
  [
    "WRONGTYPE Operation against a key holding the wrong kind of value script: 5ca1, on @user_script:2.",
    /QUEUE_PREFIX/,
  ],
  ["NOREPLICAS Not enough good replicas to write.", /min-replicas-to-write/],
  ["MISCONF Redis is configured to save RDB snapshots, but it is unable to persist on disk.", /to its disk/],
])("explains in a sentence why Redis takes no writes: %s", async (refusal, sentence) => {
  const fault = await open(await openRefusing(refusal))
    .nextRevision(0)
    .catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(UnavailableError);
  expect((fault as Error).message).toMatch(sentence);
  expect((fault as Error).message).not.toMatch(/script/);
});

it("a blocking read, such as the queue has on its own connections, may take longer than an answer", async () => {
  const reader = open(config.REDIS_URL, true).connection.duplicate();
  closers.push(() => reader.disconnect());
  const seconds = (2 * TIMEOUT_MS) / 1_000;
  expect(await reader.blpop(`${config.QUEUE_PREFIX}:nothing`, seconds)).toBeNull();
});

function toSentence(error: unknown): string {
  return error instanceof UnavailableError ? error.message : `another error: ${String(error)}`;
}
