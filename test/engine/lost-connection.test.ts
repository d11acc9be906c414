/** Connections to MongoDB that are lost or never answered: operations fail in time, and the server is found again. */
import { afterAll, afterEach, beforeEach, expect, it } from "@jest/globals";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { openMongo, type MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { testConfig } from "../support/register.ts";

const config = testConfig();
const clients = new Set<Socket>();
let isSilent = false;
/** Answers the driver's monitor, which connects first, even while silent. */
let isGreeting = false;
let proxy: Server;
let mongo: MongoStore;

/** Starts a proxy that passes everything on until it is made silent; then it still reads, but passes nothing on. */
beforeEach(async () => {
  const { hostname, port } = new URL(config.MONGODB_URL);
  proxy = createServer((client) => {
    const engine = connect(Number(port), hostname);
    const isMonitor = clients.size === 0;
    clients.add(client);
    client.on("close", () => clients.delete(client));
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.on("data", (chunk) => (isSilent && !(isGreeting && isMonitor) ? undefined : to.write(chunk)));
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(config.MONGODB_URL);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  mongo = openMongo({ url: url.href, database: config.DATABASE_NAME, timeoutMs: 1_000 });
});
afterEach(async () => {
  await mongo.close();
  for (const client of clients) client.destroy();
  proxy.close();
  isSilent = false;
  isGreeting = false;
});
afterAll(async () => {
  const direct = openMongo({ url: config.MONGODB_URL, database: config.DATABASE_NAME, timeoutMs: 10_000 });
  await direct.dropDatabase();
  await direct.close();
});

/** Opens the connections that requests use; a ping has its own. */
const connectOnce = () => mongo.documents.fetch("lost", "none");

it("a bulk write that is not answered in time fails as unavailable", async () => {
  const write = () => mongo.documents.putMissing("lost", [{ _id: "one" }, { _id: "two" }]);
  await write();
  isSilent = true;
  await expect(write()).rejects.toThrow(UnavailableError);
});

it("a bulk write larger than the network's buffers, to a server that does not read, fails as unavailable", async () => {
  await connectOnce();
  for (const client of clients) client.pause();
  const megabyte = "x".repeat(1_000_000);
  const documents = Array.from({ length: 12 }, (_, index) => ({ _id: `large-${index}`, megabyte }));
  const write = mongo.documents.putMissing("lost", documents).then(
    () => "written",
    (error: unknown) => error,
  );
  expect(await Promise.race([write, sleep(20_000, "still waiting", { ref: false })])).toBeInstanceOf(
    UnavailableError,
  );
}, 30_000);

it("a server that closed all connections at once, the monitor's first, is found again", async () => {
  await connectOnce();
  // The driver checks the server at once only if its last check is more than half a second old.
  await sleep(600);
  isSilent = true;
  const unanswered = expect(mongo.documents.put("lost", { _id: "unanswered" })).rejects.toThrow(
    UnavailableError,
  );
  await sleep(100);
  isSilent = false;
  for (const client of clients) client.end();
  await unanswered;
  await expect(mongo.ping()).resolves.toBeUndefined();
});

it("a server that was silent at first is found once it answers", async () => {
  isSilent = true;
  // Longer than the driver looks for a server, so its first attempt fails and not only our wait for it.
  const asked = Array.from({ length: 4 }, async (_one, number) => {
    await sleep(number * 1_200);
    await Promise.allSettled([connectOnce(), mongo.ping(700)]);
  });
  await Promise.all(asked);
  isSilent = false;
  for (const client of clients) client.destroy();
  await sleep(1_500);
  await expect(connectOnce()).resolves.toBeNull();
  await expect(mongo.ping()).resolves.toBeUndefined();
}, 30_000);

it("all concurrent callers learn why a server cannot be reached", async () => {
  // Nothing listens on port 9.
  const dead = { url: "mongodb://127.0.0.1:9/", database: config.DATABASE_NAME, timeoutMs: 1_000 };
  const unreachable = openMongo(dead);
  const ask = () => unreachable.documents.list("lost", {}, 1).catch(String);
  const reasons = await Promise.all([ask(), ask(), ask()]);
  await unreachable.close();
  expect(new Set(reasons)).toEqual(
    new Set(["UnavailableError: mongodb is not available: connect ECONNREFUSED 127.0.0.1:9"]),
  );
});

it("operations wait no longer for a free connection than those that hold one to a server that only greets", async () => {
  await connectOnce();
  isSilent = true;
  isGreeting = true;
  const reasons = await Promise.all(
    Array.from({ length: 200 }, (_, id) =>
      mongo.documents.fetch("lost", String(id)).catch((error: unknown) => String(error)),
    ),
  );
  expect(reasons).toContainEqual(expect.stringContaining("Timed out while checking out a connection"));
});
