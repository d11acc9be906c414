/** Redis behind sentinels, with fake servers: which connections are made, and that all are closed. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { openRedis } from "../../../api/shared/stores/redis/redis.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A server that answers commands of Redis. */
interface FakeServer {
  port: number;
  /** The open connections. */
  sockets: Set<Socket>;
  /** Names of the commands that it got, in lower case. */
  commands: string[];
  server: Server;
}

const servers: FakeServer[] = [];
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;

type Answers = (command: string[], socket: Socket) => string | undefined | Promise<string>;

/** Starts a server. A command for which `answers` returns undefined is answered with OK. */
async function startServer(answers: Answers): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const commands: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    const reply = async (text: string) => {
      for (const command of readCommands(text)) {
        const name = command[0]?.toLowerCase() ?? "";
        commands.push(name);
        // Answers like a server before version 6, so that the client uses the old protocol.
        const isOld = name === "hello" && "-ERR unknown command 'HELLO'\r\n";
        socket.write(isOld || ((await answers(command, socket)) ?? "+OK\r\n"));
        if (name === "quit") socket.end();
      }
    };
    socket.setEncoding("utf8").on("data", (text: string) => void reply(text));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const fake = { port: (server.address() as AddressInfo).port, sockets, commands, server };
  servers.push(fake);
  return fake;
}

/** The words of each command, which has a count of words, and a length before each word. */
function readCommands(text: string): string[][] {
  const commands: string[][] = [];
  for (const line of text.split("\r\n")) {
    if (line.startsWith("*")) commands.push([]);
    else if (!line.startsWith("$") && line !== "") commands.at(-1)?.push(line);
  }
  return commands;
}

async function startPrimary(): Promise<FakeServer> {
  return startServer(([name = ""]) => {
    if (name.toLowerCase() === "info") return bulk("redis_version:7.0.0\r\nrole:master\r\n");
    return name.toLowerCase() === "ping" ? "+PONG\r\n" : undefined;
  });
}

/** Starts a sentinel that gives the address of the primary once `release` has resolved. */
async function startSentinel(primary: FakeServer, release: () => Promise<void> = () => Promise.resolve()) {
  const found = `*2\r\n${bulk("127.0.0.1")}${bulk(String(primary.port))}`;
  const listeners = new Set<Socket>();
  const server = await startServer(([name = "", argument = ""], socket) => {
    if (name.toLowerCase() === "subscribe") {
      listeners.add(socket);
      return `*3\r\n${bulk("subscribe")}${bulk(argument)}:1\r\n`;
    }
    if (name.toLowerCase() !== "sentinel") return undefined;
    return argument === "sentinels" ? "*0\r\n" : release().then(() => found);
  });
  const announcement = `*3\r\n${bulk("message")}${bulk("+switch-master")}${bulk("primary")}`;
  const announceSwitch = () => {
    for (const socket of listeners) if (socket.writable) socket.write(announcement);
  };
  return { ...server, announceSwitch };
}

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("a store that was closed", () => {
  it.each([
    ["one server", 0],
    ["sentinels", 2],
  ])("leaves no connection and no timer behind, with %s", async (_name, count) => {
    const primary = await startPrimary();
    const sentinels: Pick<FakeServer, "port" | "sockets" | "commands">[] = [];
    for (let made = 0; made < count; made += 1) sentinels.push(await startSentinel(primary));
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const url = count > 0 ? `redis+sentinel://${hosts}/primary` : `redis://127.0.0.1:${primary.port}`;
    const before = timers();
    const store = openRedis({ url, prefix: "test", timeoutMs: 2_000, lockMs: 1_000 });
    await store.ping();
    await waitUntil(
      () => sentinels.every(({ commands }) => commands.includes("subscribe")),
      "it listens to the sentinels",
    );
    // As BullMQ duplicates it for its blocking reads.
    const reader = store.connection.duplicate();
    await reader.ping();
    await reader.quit();
    await store.close();
    const open = () => [primary, ...sentinels].reduce((sum, { sockets }) => sum + sockets.size, 0);
    await waitUntil(() => open() === 0, "all connections are closed");
    expect(timers()).toBeLessThanOrEqual(before);
    expect(primary.commands).toContain("quit");
  });
});

describe("sentinels that lead to no primary", () => {
  const open = (port: number) =>
    openRedis({
      url: `redis+sentinel://127.0.0.1:${port}/primary`,
      ...{ prefix: "test", timeoutMs: 20_000, lockMs: 1_000 },
    });

  it("are reported at once, like a server that cannot be reached", async () => {
    const store = open(1);
    const since = performance.now();
    await expect(store.health.fetchClock()).rejects.toThrow(
      "redis is not available: none of its sentinels can be reached",
    );
    await expect(store.ping()).rejects.toThrow("none of its sentinels");
    expect(performance.now() - since).toBeLessThan(5_000);
    await store.close();
  });

  it.each([
    ["know no primary of the name in REDIS_URL", "*-1"],
    ["name no primary (NOAUTH Authentication required.)", "-NOAUTH Authentication required."],
  ])("are not reported as out of reach if they %s", async (words, answer) => {
    const { port } = await startServer(([name = "", argument = ""]) => {
      if (name.toLowerCase() !== "sentinel") return undefined;
      return argument === "sentinels" ? "*0\r\n" : `${answer}\r\n`;
    });
    const store = open(port);
    await expect(store.ping()).rejects.toThrow(`redis is not available: its sentinels ${words}`);
    await store.close();
  });
});

describe("a connection to a primary that was lost", () => {
  it("is made again, even if a sentinel announces the new primary while it is asked for it", async () => {
    const primary = await startPrimary();
    let isHeld = false;
    const release = () => waitUntil(() => !isHeld, "the sentinel answers");
    const sentinel = await startSentinel(primary, release);
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/primary`;
    const store = openRedis({ url, prefix: "test", timeoutMs: 3_000, lockMs: 1_000, forWorker: true });
    const hasGot = (word: string) => sentinel.commands.includes(word);
    try {
      await store.ping();
      await waitUntil(() => hasGot("subscribe"), "it listens to the sentinel");
      sentinel.commands.length = 0;
      isHeld = true;
      for (const socket of primary.sockets) socket.destroy();
      await waitUntil(() => hasGot("sentinel"), "it asks for the primary");
      sentinel.announceSwitch();
      await sleep(100);
      isHeld = false;
      await store.ping();
    } finally {
      await store.close();
    }
  });
});
