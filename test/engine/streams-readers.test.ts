/** Who may read the event streams, from where on, and how a reading ends. */
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { removeKey } from "../../api/shared/access/api-keys.ts";
import { fetchBounds, trimEvents } from "../../api/shared/stores/collections/events.ts";
import { batchRunner, snapshot } from "../support/event-batches.ts";
import { holdKey } from "../support/keys.ts";
import { basic, openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openStreams, STREAM_KEY, type TestStreams } from "../support/streams.ts";

// Readings wait for looks of the server, one after the other.
jest.setTimeout(120_000);

let register: TestRegister;
let out: TestStreams;
let from: number;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
  out = await openStreams(register, { heartbeatMs: 100 });
  from = await out.timepointNow();
  // More than two pages.
  const { rows, ...rest } = snapshot("2026-12-01", "FIRST LTD");
  const numbers = Array.from({ length: 60 }, (_none, at) => `9720${String(at).padStart(4, "0")}`);
  const lines = numbers.map((number) => rows[0]?.replace(/"\d{8}"/, `"${number}"`) ?? "");
  await batchRunner(() => register.stores)({ ...rest, rows: lines });
});
afterAll(async () => {
  await out.close();
  await register.close();
});

async function ask(path: string, headers: Record<string, string>) {
  const reading = new AbortController();
  const {
    status,
    body,
    headers: answered,
  } = await fetch(out.base + path, { headers, signal: reading.signal });
  const text = status === 200 ? "" : await new Response(body).text();
  reading.abort();
  return { status, text, type: answered.get("content-type") };
}

describe("a reader", () => {
  it.each([
    ["without a key", {}, 401],
    ["with a wrong key", basic("no-such-key"), 401],
    ["with a key of the API", basic(TEST_KEY), 401],
    ["with a bearer token", { authorization: "Bearer something" }, 401],
    ["with a stream key", basic(STREAM_KEY), 200],
  ])("%s", async (_what, headers, status) => {
    expect((await ask("/companies", headers)).status).toBe(status);
  });

  it("finds no stream of another name, and nothing but GET", async () => {
    expect((await ask("/streams", basic(STREAM_KEY))).status).toBe(404);
    const posted = await fetch(`${out.base}/companies`, { method: "POST", headers: basic(STREAM_KEY) });
    expect(posted.status).toBe(405);
    const found = await fetch(`${out.base}/companies`, { method: "PROPFIND", headers: basic(STREAM_KEY) });
    expect(found.status).toBe(405);
  });

  it("goes on behind any event, with every one that follows and none before", async () => {
    const all = await out.read(`/companies?timepoint=${from}`, 60);
    expect(all).toHaveLength(60);
    const places = [0, 1, 24, 25, 26, 49, 58, 59];
    for (const some of [places.slice(0, 3), places.slice(3, 6), places.slice(6)]) {
      const rests = some.map((at) =>
        out.read(`/companies?timepoint=${(all[at]?.event.timepoint ?? 0) + 1}`, 59 - at),
      );
      expect(await Promise.all(rests)).toEqual(some.map((at) => all.slice(at + 1)));
    }
    expect(await out.read("/companies", 0)).toEqual([]);
    const reading = new AbortController();
    const { headers } = await out.open("/companies", reading.signal);
    reading.abort();
    expect(headers.get("X-Next-Timepoint")).toBe(String(await out.timepointNow()));
  });

  it.each([
    ["ahead of what there is", 1_000_000_000, 416, /timepoint-in-the-future/],
    ["that is none", "soon", 400, /timepoint/],
  ])("of a timepoint %s is refused", async (_what, timepoint, status, said) => {
    const answer = await ask(
      `/companies?timepoint=${timepoint === "soon" ? timepoint : from + Number(timepoint)}`,
      basic(STREAM_KEY),
    );
    expect(answer).toMatchObject({ status, type: "application/json" });
    expect(answer.text).toMatch(said);
  });

  it("of a timepoint from before what is kept is refused", async () => {
    const { documents } = register.stores.mongo;
    const trim = (day: string) =>
      trimEvents(documents, ["companies", "charges"], { days: 7, now: new Date(`${day}T12:00:00Z`) });
    await trim("2026-12-01");
    await trim("2026-12-07");
    expect(await out.read(`/companies?timepoint=${from}`, 60)).toHaveLength(60);
    await trim("2026-12-08");
    const answer = await ask(`/companies?timepoint=${from}`, basic(STREAM_KEY));
    expect(answer.status).toBe(416);
    expect(answer.text).toMatch(/timepoint-too-old/);
    const left = await documents.fetchAll("events", {});
    expect(left.map(({ _id }) => String(_id)).sort()).toEqual([
      "bounds",
      "mark/2026-12-07",
      "mark/2026-12-08",
    ]);
    // In this one nothing has happened: whoever has read it has missed nothing.
    const reading = new AbortController();
    expect((await out.open(`/charges?timepoint=${from}`, reading.signal)).status).toBe(200);
    reading.abort();
  });

  it("with timepoint 0 begins at the oldest event that is kept", async () => {
    const reading = new AbortController();
    const { headers } = await out.open("/companies?timepoint=0", reading.signal);
    reading.abort();
    const { oldest } = await fetchBounds(register.stores.mongo.documents);
    expect(headers.get("X-Next-Timepoint")).toBe(String(oldest.companies));
    expect(oldest.companies).toBeGreaterThan(from);
  });

  it("of a register that is built anew has higher timepoints, and earlier ones are refused", async () => {
    const anew = await openRegister({ withWorker: false });
    const streams = await openStreams(anew);
    expect(await streams.timepointNow()).toBeGreaterThan(await out.timepointNow());
    const { status, body } = await streams.open(`/companies?timepoint=${from + 1}`);
    expect(status).toBe(416);
    expect(await new Response(body).text()).toMatch(/timepoint-too-old/);
    await streams.close();
    await anew.close();
  });

  it("has so many connections and no more, and another when one has ended", async () => {
    const few = await openStreams(register, { config: { ...register.config, STREAM_CONNECTIONS: 3 } });
    const readings = [new AbortController(), new AbortController(), new AbortController()];
    for (const { signal } of readings) expect((await few.open("/companies", signal)).status).toBe(200);
    const { status, body } = await few.open("/companies");
    expect(status).toBe(429);
    expect(await new Response(body).text()).toMatch(/too-many-connections/);
    for (const reading of readings) reading.abort();
    const askAgain = async () => {
      const again = new AbortController();
      const answer = await few.open("/companies", again.signal);
      again.abort();
      return answer.status === 200;
    };
    await waitUntil(askAgain, "another connection");
    await few.close();
  });

  it("takes no place when it has gone before its stream begins", async () => {
    const { mongo, ...others } = register.stores;
    const reading = new AbortController();
    const { documents } = mongo;
    let lookedFor = 0;
    const fetch: typeof documents.fetch = async (...asked) => {
      lookedFor += 1;
      reading.abort();
      // The connection ends meanwhile.
      await sleep(500);
      return documents.fetch(...asked);
    };
    const stores = { ...others, mongo: { ...mongo, documents: { ...documents, fetch } } };
    const slow = await openStreams({ ...register, stores });
    await expect(slow.open("/companies", reading.signal)).rejects.toThrow(/abort/);
    await sleep(1_500);
    expect(lookedFor).toBeGreaterThan(0);
    expect(slow.countReaders().companies).toBe(0);
    await slow.close();
  });

  it("gets empty lines while nothing happens, until its key is taken away", async () => {
    const { documents } = register.stores.mongo;
    const key = await holdKey(documents, "leaving", { name: "leaving", kind: "stream" });
    const { body } = await fetch(`${out.base}/companies`, { headers: basic("leaving") });
    await removeKey(documents, key);
    expect(await new Response(body).text()).toMatch(/^\n{3,}$/);
  });

  it("is let go when the server stops, behind a whole line", async () => {
    const other = await openStreams(register);
    const { body } = await other.open("/companies");
    const text = new Response(body).text();
    await new Promise((resolve) => setTimeout(resolve, 200));
    other.end();
    expect(await text).toBe("\n");
    await other.close();
  });
});
