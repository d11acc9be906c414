import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { UnavailableError } from "../../api/core/errors.ts";
import { openMongo, type MongoStore } from "../../api/core/stores/mongo.ts";
import { testConfig } from "../support/register.ts";

const config = testConfig();
const sockets = new Set<Socket>();
let isSilent = false;
let proxy: Server;
let mongo: MongoStore;

/** Passes everything on until it is told to be silent. */
beforeAll(async () => {
  const { hostname, port } = new URL(config.MONGODB_URL);
  proxy = createServer((client) => {
    const engine = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.on("data", (chunk) => (isSilent ? undefined : to.write(chunk)));
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(config.MONGODB_URL);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  mongo = openMongo({ url: url.href, database: config.DATABASE_NAME, timeoutMs: 1_000 });
});
afterAll(async () => {
  isSilent = false;
  await mongo.dropDatabase();
  await mongo.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

it("a bulk write that is not answered in time is a passing fault", async () => {
  const write = () => mongo.documents.putMissing("lost", [{ _id: "one" }, { _id: "two" }]);
  await write();
  isSilent = true;
  await expect(write()).rejects.toThrow(UnavailableError);
});
