import { afterEach, describe, expect, it } from "@jest/globals";
import { Agent, get, type IncomingMessage } from "node:http";
import { HttpServer } from "../../../api/http/server.ts";
import { waitUntil } from "../../support/wait-until.ts";

const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

/** Over a connection that is kept. */
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
  return { server, ask: openClient(await server.listen(0, "127.0.0.1")) };
}

describe("a server that ends", () => {
  it("answers what is under way, and then ends at once, though the connection is kept", async () => {
    const { server, ask } = await openSlow(200);
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

  it("waits no longer than it is granted", async () => {
    const { server, ask } = await openSlow(60_000);
    const answered = ask().catch((error: unknown) => error);
    await waitUntil(() => Promise.resolve(server.count() === 1), "a request under way");
    await server.close(100);
    expect(await answered).toMatchObject({ code: "ECONNRESET" });
  });
});
