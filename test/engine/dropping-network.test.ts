/** A network that drops what is sent to MongoDB, and refuses nothing. */
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

// A process of its own: while it is stopped and this many connections wait to be accepted, its kernel drops further ones.
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

it("whether it is there is asked by new connections soon, and so answered soon after the network is back", async () => {
  const url = `mongodb://127.0.0.1:${port}${pathname}${search}`;
  mongo = openMongo({ url, database: config.DATABASE_NAME, timeoutMs: 1_500 });
  await mongo.ping();
  let tried = 0;
  const notice = () => (tried += 1);
  await drop();
  subscribe("net.client.socket", notice);
  const isThere = () =>
    mongo.ping(700).then(
      () => true,
      () => false,
    );
  // The client has two under way at once: of more than that, one has been given up.
  await waitUntil(async () => !(await isThere()) && tried > 2, "further connections are tried");
  unsubscribe("net.client.socket", notice);
  proxy.kill("SIGCONT");
  await waitUntil(isThere, "it is there again");
}, 60_000);
