/** How many bytes of answers a caller may leave unread. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connect, type Socket } from "node:net";
import Koa from "koa";
import { errorResponse } from "../../../api/http/error-response.ts";
import { limitUnreadAnswers } from "../../../api/http/sending.ts";
import type { RequestState } from "../../../api/http/request-context.ts";
import { listen, type Listening } from "../../support/serve.ts";
import { waitUntil } from "../../support/wait-until.ts";

// Far more than an unread connection can buffer.
const ANSWER_BYTES = 40_000_000;

let server: Listening;
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
  server = await listen(app);
});
afterAll(() => server.close());

const ask = (caller: string) => fetch(server.base, { headers: { "X-Caller": caller } });

/** A connection that reads the beginning of an answer and no more. */
async function askWithoutReading(caller: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nHost: register\r\nX-Caller: ${caller}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

// Runs first, so that it does not measure memory of the other tests.
it("an unread answer is kept as bytes, because a text would take five times their memory", async () => {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const measureMemory = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = measureMemory();
  const sockets = [await askWithoutReading("h"), await askWithoutReading("i")];
  const grownBytes = measureMemory() - before;
  for (const socket of sockets) socket.destroy();
  expect(grownBytes).toBeLessThan(2 * 2 * ANSWER_BYTES);
});

it("the unread answers of a caller are limited, until they are read or their connections close", async () => {
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

it("the unread answers of all callers are limited, and the rest is for the caller with the fewest unread bytes", async () => {
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

it("an answer does not count when its caller disconnects before it is ready", async () => {
  for (let time = 0; time < 3; time += 1) {
    const before = finished;
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: register\r\nX-Caller: c\r\nX-Wait: yes\r\n\r\n", () =>
      socket.destroy(),
    );
    await waitUntil(() => Promise.resolve(finished > before), "its answer is ready");
  }
  expect((await ask("c")).status).toBe(200);
});
