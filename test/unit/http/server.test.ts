import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, type RequestListener } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { buildApp, type AppDependencies } from "../../../api/app.ts";
import type { EndedRequest } from "../../../api/http/request-context.ts";
import { HttpServer, silentMsFor } from "../../../api/http/server.ts";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { buildStreams } from "../../../api/streams/app.ts";
import { waitUntil } from "../../support/wait-until.ts";

const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

/** Makes a client with one kept-alive connection. A request returns the Connection header of its answer. */
function openClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, agent, host: "127.0.0.1" }, resolve).once("error", reject);
    });
    answer.resume();
    await new Promise((resolve) => answer.once("end", resolve));
    return answer.headers.connection;
  };
}

async function openSlow(slowMs: number) {
  const server = new HttpServer((_request, response) => {
    setTimeout(() => response.end("done"), slowMs).unref();
  }, 60_000);
  const port = await server.listen(0, "127.0.0.1");
  return { server, port, ask: openClient(port) };
}

describe("a server that shuts down", () => {
  it("answers the requests in progress, and then closes at once, even if a connection is kept alive", async () => {
    // Ends after unused connections have been closed.
    const { server, ask } = await openSlow(1_500);
    const answered = ask();
    await waitUntil(() => Promise.resolve(server.count() === 1), "a request under way");
    const startedAt = performance.now();
    await server.close(20_000);
    expect(await answered).toBe("keep-alive");
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(server.count()).toBe(0);
  });

  it("closes connections with their next answer while it still takes requests", async () => {
    const { server, ask } = await openSlow(1);
    expect(await ask()).toBe("keep-alive");
    server.beginEnd();
    expect(await ask()).toBe("close");
    await server.close(20_000);
  });

  it("cuts off requests that take longer than the given time", async () => {
    const { server, ask } = await openSlow(60_000);
    const answered = ask().catch((error: unknown) => error);
    await waitUntil(() => Promise.resolve(server.count() === 1), "a request under way");
    await server.close(100);
    expect(await answered).toMatchObject({ code: "ECONNRESET" });
  });

  it("sends the whole of an answer that is written but not yet sent", async () => {
    const size = 32 * 1024 * 1024;
    const server = new HttpServer((_request, response) => response.end(Buffer.alloc(size)), 60_000);
    const port = await server.listen(0, "127.0.0.1");
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: "127.0.0.1" }, resolve).once("error", reject);
    });
    const closed = server.close(20_000);
    let received = 0;
    for await (const chunk of answer) received += (chunk as Buffer).length;
    expect(received).toBe(size);
    await closed;
  });

  it("does not wait for a connection that was opened in advance, but answers requests that are already on it", async () => {
    const { server, port, ask } = await openSlow(1);
    await ask();
    const [unused, used] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    await Promise.all([once(unused, "connect"), once(used, "connect")]);
    // The server accepts connections in order, so the answer on a later one shows that it has accepted these.
    await openClient(port)();
    const startedAt = performance.now();
    const closed = server.close(20_000);
    used.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(String(await once(used, "data"))).toMatch(/^HTTP\/1.1 200 /);
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

it.each([
  [1_500, 120_000],
  [600_000, 630_000],
])("a request that may take %i ms is not cut off before its answer", (longestAnswerMs, silentMs) => {
  expect(silentMsFor(longestAnswerMs)).toBe(silentMs);
});

it("a connection on which no byte moves is closed after its time limit, and not before", async () => {
  const slow = async (silentMs: number) => {
    const answer: RequestListener = (_request, response) =>
      void setTimeout(() => response.writeHead(503).end(), 500).unref();
    const server = new HttpServer(answer, 60_000, silentMs);
    const port = await server.listen(0, "127.0.0.1");
    const status = await fetch(`http://127.0.0.1:${port}`).then(
      (found) => found.status,
      () => "cut",
    );
    await server.close(0);
    return status;
  };
  expect([await slow(100), await slow(5_000)]).toEqual(["cut", 503]);
});

it("a connection above the limit is closed, while the others get their answers", async () => {
  const server = new HttpServer((_request, response) => response.end("done"), 60_000, 60_000, 2);
  const port = await server.listen(0, "127.0.0.1");
  const [first, second] = [openClient(port), openClient(port)];
  await Promise.all([first(), second()]);
  await expect(openClient(port)()).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(await first()).toBe("keep-alive");
  await server.close(0);
});

/** Sends a request with exactly this target; returns the whole answer as text. */
async function askFor(port: number, target: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`, "latin1");
  return text(socket);
}

describe.each(["register", "streams"] as const)("the target of a request to the API of the %s", (which) => {
  let server: HttpServer;
  let port: number;
  const ended: EndedRequest[] = [];
  const [known, status] = which === "register" ? ["/healthz", 200] : ["/filings", 401];
  beforeAll(async () => {
    const stores = { mongo: {}, redis: { counters: { add: () => Promise.resolve(1) } } };
    const dependencies = {
      config: readConfig({}),
      // The cast: no store is asked.
      stores: stores as unknown as AppDependencies["stores"],
      log: createLogger("silent", "api"),
      clock: () => new Date(),
      onEnd: (request: EndedRequest) => ended.push(request),
    };
    const app = which === "register" ? buildApp(dependencies) : buildStreams(dependencies).app;
    const answer = app.callback();
    server = new HttpServer((request, response) => void answer(request, response), 60_000);
    port = await server.listen(0, "127.0.0.1");
  });
  afterAll(() => server.close(0));

  it.each(["http://1.2.3.4.5/x", "http://[::/x", "http://a]b/x", "http://", "urn://x"])(
    "is refused with 400 when it cannot be parsed, and the process goes on: %s",
    async (target) => {
      ended.length = 0;
      const answer = await askFor(port, target);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/^X-Content-Type-Options: nosniff/m);
      expect(answer).toMatch(/^X-Request-Id: /m);
      await waitUntil(() => Promise.resolve(ended.length > 0), "the end of the request");
      expect(ended).toMatchObject([{ status: 400 }]);
      expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({
        errors: [{ type: "ch:service", error: "bad-request" }],
      });
      expect(await askFor(port, known)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  );

  it.each([`http://register.example${known}`, `HTTP://register.example:8080${known}?x=1`, `${known}#there`])(
    "may be a whole address, or end in a fragment: %s",
    async (target) => {
      expect(await askFor(port, target)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  );

  it("is a path, not a host, when it begins with two slashes", async () => {
    expect(await askFor(port, "//a@xn--a/#x")).toMatch(/^HTTP\/1\.1 401 /);
    expect(await askFor(port, known)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
