/** How many bytes of answers a caller may leave unread. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Server } from "node:http";
import Koa from "koa";
import { errorResponse } from "../../../api/http/error-response.ts";
import { limitUnreadAnswers } from "../../../api/http/sending.ts";
import type { RequestState } from "../../../api/http/request-context.ts";
import { waitUntil } from "../../support/wait-until.ts";

// Far more than an unread connection can buffer.
const ANSWER_BYTES = 40_000_000;

let server: Server;
let port: number;
let finished = 0;
beforeAll(async () => {
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(errorResponse());
  app.use(async (ctx, next) => {
    ctx.state.principal = { countedAs: ctx.get("X-Caller") };
    await next();
  });
  app.use(limitUnreadAnswers(4 * ANSWER_BYTES));
  app.use(async (ctx) => {
    if (ctx.get("X-Wait") !== "") await once(ctx.res, "close");
    ctx.body = "x".repeat(ANSWER_BYTES);
    finished += 1;
  });
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (caller: string) => fetch(`http://127.0.0.1:${port}/`, { headers: { "X-Caller": caller } });

/** A connection that reads the beginning of an answer and no more. */
async function askWithoutReading(caller: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nHost: register\r\nX-Caller: ${caller}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

// The first, so that nothing is left to collect of the others.
it("is held as bytes: text would take five bytes for each", async () => {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const heldBytes = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = heldBytes();
  const sockets = [await askWithoutReading("h"), await askWithoutReading("i")];
  const held = heldBytes() - before;
  for (const socket of sockets) socket.destroy();
  expect(held).toBeLessThan(2 * 2 * ANSWER_BYTES);
});

it("is bounded for each caller, who gets answers again once these are read or their connections are gone", async () => {
  for (let taken = 0; taken < 3; taken += 1)
    expect((await (await ask("a")).text()).length).toBe(ANSWER_BYTES);
  const sockets = [await askWithoutReading("a"), await askWithoutReading("a")];
  const refused = await ask("a");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.text()).toContain("earlier answers have not been read yet");
  expect((await (await ask("b")).text()).length).toBe(ANSWER_BYTES);
  for (const socket of sockets) socket.destroy();
  await waitUntil(
    async () => (await (await ask("a")).text()).length === ANSWER_BYTES,
    "it is answered again",
  );
});

it("is bounded for all together, and the rest is for the caller with the fewest unread bytes", async () => {
  const sockets: Socket[] = [];
  for (const caller of ["d", "d", "e", "f"]) sockets.push(await askWithoutReading(caller));
  for (const caller of ["d", "e", "g"]) expect((await ask(caller)).status).toBe(503);
  sockets.shift()?.destroy();
  await waitUntil(
    async () => (await (await ask("g")).text()).length === ANSWER_BYTES,
    "there is room for one more",
  );
  expect((await ask("d")).status).toBe(503);
  for (const socket of sockets) socket.destroy();
});

it("counts no answer whose caller is gone before it is ready", async () => {
  for (let gone = 0; gone < 3; gone += 1) {
    const before = finished;
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: register\r\nX-Caller: c\r\nX-Wait: yes\r\n\r\n", () =>
      socket.destroy(),
    );
    await waitUntil(() => Promise.resolve(finished > before), "its answer is ready");
  }
  expect((await ask("c")).status).toBe(200);
});
