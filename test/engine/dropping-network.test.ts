/** A network that silently drops what is sent to MongoDB. */
import { spawn, type ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, it } from "@jest/globals";
import { openMongo, type MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { testConfig } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";

const config = testConfig();
const { hostname, port: enginePort, pathname, search } = new URL(config.MONGODB_URL);

// The proxy is its own process: while it is stopped with this many connections waiting, its kernel drops further ones.
const WAITING = 1;
const PROXY = `
  const { connect, createServer } = require("node:net");
  const server = createServer((client) => {
    const engine = connect(${enginePort || 27017}, "${hostname}");
    for (const [from, to] of [[client, engine], [engine, client]])
      from.on("error", () => to.destroy()).on("close", () => to.destroy()).pipe(to);
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: ${WAITING} }, () => console.log(server.address().port));
`;

let proxy: ChildProcess;
let port: number;
let mongo: MongoStore;
const fillers: Socket[] = [];
beforeAll(async () => {
  proxy = spawn(process.execPath, ["-e", PROXY], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(proxy.stdout!, "data")) as [Buffer];
  port = Number(said);
});
afterAll(async () => {
  await mongo.close();
  proxy.kill("SIGKILL");
  for (const filler of fillers) filler.destroy();
});

async function drop(): Promise<void> {
  proxy.kill("SIGSTOP");
  for (let waiting = 0; waiting <= WAITING; waiting += 1) {
    const filler = connect(port, "127.0.0.1").on("error", () => undefined);
    fillers.push(filler);
    await once(filler, "connect");
  }
}

it("a ping soon tries new connections, and so answers soon after the network is back", async () => {
  const url = `mongodb://127.0.0.1:${port}${pathname}${search}`;
  mongo = openMongo({ url, database: config.DATABASE_NAME, timeoutMs: 1_500 });
  await mongo.ping();
  let tried = 0;
  const countAttempt = () => (tried += 1);
  await drop();
  subscribe("net.client.socket", countAttempt);
  const isAvailable = () =>
    mongo.ping(700).then(
      () => true,
      () => false,
    );
  // The client has at most two attempts under way, so a third one means that it gave one up.
  await waitUntil(async () => !(await isAvailable()) && tried > 2, "further connections are tried");
  unsubscribe("net.client.socket", countAttempt);
  proxy.kill("SIGCONT");
  await waitUntil(isAvailable, "MongoDB answers again");
}, 60_000);
