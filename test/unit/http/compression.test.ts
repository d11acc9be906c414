import { afterEach, expect, it } from "@jest/globals";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import Koa from "koa";
import { compressAnswers } from "../../../api/http/sending.ts";
import type { RequestState } from "../../../api/http/request-context.ts";
import { listen } from "../../support/serve.ts";

const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Serves the chunks of a table, or a text. */
async function serve(write: () => AsyncGenerator<string> | string): Promise<string> {
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(compressAnswers());
  app.use((ctx) => {
    ctx.type = "text/csv";
    const written = write();
    ctx.body = typeof written === "string" ? written : Readable.from(written);
  });
  const { base, close } = await listen(app);
  closers.push(close);
  return base;
}

it.each(["gzip", "br", "identity"])(
  "a download that fails half-way breaks off its answer: %s",
  async (encoding) => {
    const base = await serve(async function* () {
      yield "number,name\n";
      await sleep(50);
      throw new Error("the store has gone");
    });
    const read = async () => (await fetch(base, { headers: { "accept-encoding": encoding } })).text();
    await expect(read()).rejects.toThrow("terminated");
  },
);

it.each(["gzip", "br"])("a line arrives while the next one is awaited: %s", async (encoding) => {
  let goOn = () => undefined as void;
  const isRead = new Promise<void>((resolve) => (goOn = resolve));
  const base = await serve(async function* () {
    yield "number,name\n";
    await isRead;
    yield "1,ONE\n";
  });
  const answer = await fetch(base, { headers: { "accept-encoding": encoding } });
  let received = "";
  for await (const bytes of answer.body ?? []) {
    received += Buffer.from(bytes as Uint8Array).toString();
    if (received === "number,name\n") goOn();
  }
  expect(received).toBe("number,name\n1,ONE\n");
});

it("a compressed download arrives complete", async () => {
  const base = await serve(async function* () {
    await sleep(1);
    yield "number,name\n";
    yield "1,ONE\n";
  });
  const answer = await fetch(base, { headers: { "accept-encoding": "gzip" } });
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(await answer.text()).toBe("number,name\n1,ONE\n");
});

it.each(["*;q=0", "identity;q=0", "deflate, *;q=0", "deflate, identity;q=0"])(
  "a client that accepts no encoding that the API has gets the plain answer: %s",
  async (accepted) => {
    const base = await serve(async function* () {
      await sleep(1);
      yield "number,name\n";
    });
    const answer = await fetch(base, { headers: { "accept-encoding": accepted } });
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, null]);
    expect(await answer.text()).toBe("number,name\n");
  },
);

it.each([
  ["gzip", null],
  ["br", null],
  ["identity, gzip", null],
  ["identity", "5000"],
  ["gzip;q=0", "5000"],
])("HEAD never has another length than GET: %s", async (accepted, length) => {
  const base = await serve(() => "n".repeat(5_000));
  const headers = { "accept-encoding": accepted };
  const [head, get] = [await fetch(base, { method: "HEAD", headers }), await fetch(base, { headers })];
  expect([head.status, head.headers.get("content-type")]).toEqual([200, get.headers.get("content-type")]);
  expect([head.headers.get("content-length"), get.headers.get("content-length")]).toEqual([length, length]);
  expect(await get.text()).toHaveLength(5_000);
});
