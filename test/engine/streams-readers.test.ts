/** Who may read the event streams, from which timepoint, and how a reading ends. */
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { removeKey, storeKey } from "../../api/shared/access/api-keys.ts";
import { createMetrics } from "../../api/shared/metrics/metrics.ts";
import { countStreamRequests } from "../../api/http/ops.ts";
import { applications } from "../../api/shared/access/applications.ts";
import {
  fetchBounds,
  putEvents,
  trimEvents,
  type StreamBounds,
} from "../../api/shared/stores/collections/events.ts";
import { fetchLive, FOLLOWERS, toPosition } from "../../api/shared/stores/collections/positions.ts";
import { batchRunner, snapshot } from "../support/event-batches.ts";
import { addTestKey } from "../support/keys.ts";
import { sampleOf } from "../support/scrape.ts";
import { makeNames } from "../support/register-names.ts";
import { basic, openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openStreams, STREAM_KEY, type TestStreams } from "../support/streams.ts";

// Readings wait until the server looks for events, one look after another.
jest.setTimeout(120_000);

// Two pages of 250 and the beginning of a third, in one change.
const COUNT = 520;
// Many times as long as readers in these tests keep the bounds.
const GRACE_MS = 1_000;
const NUMBERS = Array.from({ length: COUNT }, (_none, at) => `9720${String(at).padStart(4, "0")}`);

let register: TestRegister;
let server: TestStreams;
let from: number;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
  server = await openStreams(register, { heartbeatMs: 100 });
  from = await server.timepointNow();
  const { rows, ...rest } = snapshot("2026-12-01", "FIRST LTD");
  const lines = NUMBERS.map((number) => rows[0]?.replace(/"\d{8}"/, `"${number}"`) ?? "");
  await batchRunner(() => register.stores)({ ...rest, rows: lines });
});
afterAll(async () => {
  await server.close();
  await register.close();
});

/** Begins a reading whose page is held back until `end`, which returns everything sent. */
async function readSlowly() {
  const { mongo, ...others } = register.stores;
  const { records } = mongo;
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const fetchStored: typeof records.fetchStored = async (...asked) => {
    const found = await records.fetchStored(...asked);
    await released;
    return found;
  };
  const stores = { ...others, mongo: { ...mongo, records: { ...records, fetchStored } } };
  const slow = await openStreams({ ...register, stores });
  const { body } = await slow.open(`/companies?timepoint=${from}`);
  const text = new Response(body).text();
  return {
    end: async () => {
      release();
      const sent = await text;
      await slow.close();
      return sent;
    },
  };
}

async function ask(path: string, headers: Record<string, string>) {
  const reading = new AbortController();
  const {
    status,
    body,
    headers: answered,
  } = await fetch(server.base + path, { headers, signal: reading.signal });
  const text = status === 200 ? "" : await new Response(body).text();
  reading.abort();
  return { status, text, type: answered.get("content-type") };
}

describe("a reader", () => {
  it.each([
    ["without a key", 401, {}],
    ["with a wrong key", 401, basic("no-such-key")],
    ["with a key of the API", 401, basic(TEST_KEY)],
    ["with a bearer token", 401, { authorization: "Bearer something" }],
    ["with a stream key", 200, basic(STREAM_KEY)],
  ])("%s gets status %i", async (_what, status, headers) => {
    expect((await ask("/companies", headers)).status).toBe(status);
  });

  it.each([
    ["search.read", "/companies", 403],
    ["search.read", "/disqualified-officers", 403],
    ["company.read", "/persons-with-significant-control", 200],
    ["company.read", "/disqualified-officers", 403],
    ["disqualified-officers.read", "/disqualified-officers", 200],
    ["company/97200000/company.read", "/companies", 403],
  ])("of an application with only %s asks for %s and gets status %i", async (scope, path, status) => {
    const key = `${scope} for ${path}`;
    await addTestKey(register.stores.mongo.documents, key, { name: key, kind: "stream", scopes: [scope] });
    expect((await ask(path, basic(key))).status).toBe(status);
  });

  it("finds no unknown stream, and no method but GET", async () => {
    expect((await ask("/streams", basic(STREAM_KEY))).status).toBe(404);
    const posted = await fetch(`${server.base}/companies`, { method: "POST", headers: basic(STREAM_KEY) });
    expect(posted.status).toBe(405);
    const found = await fetch(`${server.base}/companies`, { method: "PROPFIND", headers: basic(STREAM_KEY) });
    expect(found.status).toBe(405);
  });

  it("continues after any event, with all later events and no earlier ones", async () => {
    const all = await server.read(`/companies?timepoint=${from}`, COUNT);
    expect(all.map(({ resource_id }) => resource_id)).toEqual(NUMBERS);
    const places = [0, 248, 249, 250, 251, 499, 500, COUNT - 1];
    for (const some of [places.slice(0, 3), places.slice(3, 6), places.slice(6)]) {
      const rests = some.map((at) =>
        server.read(`/companies?timepoint=${(all[at]?.event.timepoint ?? 0) + 1}`, COUNT - 1 - at),
      );
      expect(await Promise.all(rests)).toEqual(some.map((at) => all.slice(at + 1)));
    }
    expect(await server.read("/companies", 0)).toEqual([]);
    const reading = new AbortController();
    const { headers } = await server.open("/companies", reading.signal);
    reading.abort();
    expect(headers.get("X-Next-Timepoint")).toBe(String(await server.timepointNow()));
  });

  it("with a timepoint that is not a number is refused", async () => {
    const answer = await ask("/companies?timepoint=soon", basic(STREAM_KEY));
    expect(answer).toMatchObject({ status: 400, type: "application/json" });
    expect(answer.text).toMatch(/timepoint/);
  });

  it("with a timepoint older than the kept events is refused", async () => {
    const { documents } = register.stores.mongo;
    const trim = (day: string) =>
      trimEvents(documents, ["companies", "charges"], {
        ...{ days: 7, graceMs: GRACE_MS },
        now: new Date(`${day}T12:00:00Z`),
      });
    await trim("2026-12-01");
    await trim("2026-12-07");
    expect(await server.read(`/companies?timepoint=${from}`, COUNT)).toHaveLength(COUNT);
    const slow = await readSlowly();
    const last = (await server.read(`/companies?timepoint=${from}`, COUNT)).at(-1)?.event.timepoint ?? 0;
    await trim("2026-12-08");
    // A reader that waited for its page meanwhile gets neither that page nor anything after it.
    expect(await slow.end()).toMatch(/^\n+$/);
    const answer = await ask(`/companies?timepoint=${from}`, basic(STREAM_KEY));
    expect(answer.status).toBe(416);
    expect(answer.text).toMatch(/timepoint-too-old/);
    const left = await documents.fetchAll("events", {});
    expect(left.map(({ _id }) => String(_id)).sort()).toEqual([
      "bounds",
      "mark/2026-12-07",
      "mark/2026-12-08",
    ]);
    // A reader that has read all deleted events has missed nothing; neither has a reader of a stream without events.
    const unread = [
      `/companies?timepoint=${last}`,
      `/companies?timepoint=${last + 1}`,
      `/charges?timepoint=${from}`,
    ];
    const answers = await Promise.all(unread.map((path) => ask(path, basic(STREAM_KEY))));
    expect(answers.map(({ status: given }) => given)).toEqual([416, 200, 200]);
  });

  it.each([
    ["has found what it may delete", "listBetween", "2026-12"],
    ["has read the bounds", "listLatest", "2027-01"],
  ] as const)(
    "is refused even if a process with yesterday's date %s while another one trims",
    async (_what, method, month) => {
      const { documents } = register.stores.mongo;
      const trim = (day: number, by = documents) =>
        trimEvents(by, ["companies"], {
          ...{ days: 1, graceMs: 0 },
          now: new Date(`${month}-${day}T12:00:00Z`),
        });
      const next = Number((await fetchLive(documents)).position) + 1;
      const write = async (at: number) => {
        const known = { at: `${month}-20T12:00:00`, ids: NUMBERS.slice(0, 1), left: [] };
        await putEvents(documents, [{ ...known, collection: "companies", position: toPosition(at) }]);
        await documents.amend(FOLLOWERS, [{ _id: "live", position: toPosition(at) }]);
      };
      await write(next);
      await trim(20);
      await write(next + 1);
      let raised: StreamBounds | undefined;
      const delayed = async (...asked: unknown[]) => {
        const found = await (documents[method] as (...given: unknown[]) => Promise<never>)(...asked);
        if (!raised) {
          await trim(22);
          raised = await fetchBounds(documents);
        }
        return found;
      };
      await trim(21, { ...documents, [method]: delayed });
      expect(await fetchBounds(documents)).toEqual(raised);
      expect(raised?.first).toBe(toPosition(next + 2));
    },
  );

  it("with timepoint 0 begins at the oldest kept event", async () => {
    const reading = new AbortController();
    const { headers } = await server.open("/companies?timepoint=0", reading.signal);
    reading.abort();
    const { oldest } = await fetchBounds(register.stores.mongo.documents);
    expect(headers.get("X-Next-Timepoint")).toBe(String(oldest.companies));
    expect(oldest.companies).toBeGreaterThan(from);
  });

  it("may begin at any timepoint from the oldest to the next, and at no other", async () => {
    const { oldest, next } = await fetchBounds(register.stores.mongo.documents);
    const first = oldest.companies ?? 0;
    const asked = [first - 1, first, next, next + 1];
    const answers = await Promise.all(
      asked.map((at) => ask(`/companies?timepoint=${at}`, basic(STREAM_KEY))),
    );
    expect(answers.map(({ status }) => status)).toEqual([416, 200, 200, 416]);
    expect(answers[0]?.text).toMatch(/timepoint-too-old/);
    expect(answers[3]?.text).toMatch(/timepoint-in-the-future/);
    expect(answers[3]?.type).toBe("application/json");
  });

  it("of a rebuilt register gets higher timepoints, and earlier ones are refused", async () => {
    // Use new names: a register that another test has emptied began before this one.
    const anew = await openRegister({ withWorker: false, settings: { ...makeNames() } });
    const streams = await openStreams(anew);
    expect(await streams.timepointNow()).toBeGreaterThan(await server.timepointNow());
    const { status, body } = await streams.open(`/companies?timepoint=${from + 1}`);
    expect(status).toBe(416);
    expect(await new Response(body).text()).toMatch(/timepoint-too-old/);
    await streams.close();
    await anew.close();
  });

  it("has a limited number of connections for all streams and keys, and a new one when another has ended", async () => {
    const few = await openStreams(register, { config: { ...register.config, STREAM_CONNECTIONS: 3 } });
    const { documents } = register.stores.mongo;
    const { application } = await addTestKey(documents, "first-of-two", { name: "reader", kind: "stream" });
    await storeKey(documents, "second-of-two", { application, kind: "stream" }, new Date());
    const readings: AbortController[] = [];
    const begin = (path: string, key: string) => {
      const reading = new AbortController();
      readings.push(reading);
      return fetch(few.base + path, { headers: basic(key), signal: reading.signal });
    };
    const statusOf = async (path: string, key: string) => (await begin(path, key)).status;
    expect(await statusOf("/companies", "first-of-two")).toBe(200);
    expect(await statusOf("/officers", "first-of-two")).toBe(200);
    expect(await statusOf("/companies", "second-of-two")).toBe(200);
    expect(few.countReaders()).toMatchObject({ companies: 2, officers: 1, charges: 0 });
    for (const key of ["first-of-two", "second-of-two"]) {
      const refused = await begin("/charges", key);
      expect([refused.status, await refused.text()]).toEqual([
        429,
        expect.stringContaining("too-many-connections"),
      ]);
    }
    // Another caller has its own connections.
    for (const path of ["/companies", "/companies", "/companies"])
      expect(await statusOf(path, STREAM_KEY)).toBe(200);
    expect(await statusOf("/companies", STREAM_KEY)).toBe(429);
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

  it("with one connection too many causes no read, and each answer is counted by status", async () => {
    const { mongo, ...others } = register.stores;
    const { documents } = mongo;
    let reads = 0;
    const fetch: typeof documents.fetch = (...asked) => {
      reads += 1;
      return documents.fetch(...asked);
    };
    const stores = { ...others, mongo: { ...mongo, documents: { ...documents, fetch } } };
    const metrics = createMetrics("api");
    const onEnd = countStreamRequests(metrics);
    const config = { ...register.config, STREAM_CONNECTIONS: 0 };
    const none = await openStreams({ ...register, stores }, { config, onEnd });
    expect((await none.open("/companies")).status).toBe(429);
    expect(reads).toBe(0);
    await none.close();
    const some = await openStreams(register, { onEnd });
    expect((await some.open(`/companies?timepoint=${from + 1_000_000_000}`)).status).toBe(416);
    const reading = new AbortController();
    expect((await some.open("/companies", reading.signal)).status).toBe(200);
    reading.abort();
    const fetchCounts = async () => {
      const page = await metrics.write();
      const labels = { route: "stream companies" };
      return ["416", "429", "aborted"].map((status) =>
        sampleOf(page, "stream_requests_total", { ...labels, status }),
      );
    };
    await waitUntil(async () => (await fetchCounts()).every((count) => count === 1), "all are counted");
    await some.close();
  });

  it("does not count as connected if it leaves before its stream begins", async () => {
    const { mongo, ...others } = register.stores;
    const reading = new AbortController();
    const { documents } = mongo;
    const looks = { begun: 0, ended: 0 };
    const fetch: typeof documents.fetch = async (...asked) => {
      looks.begun += 1;
      reading.abort();
      // Leave time for the connection to end.
      await sleep(500);
      return documents.fetch(...asked).finally(() => (looks.ended += 1));
    };
    const stores = { ...others, mongo: { ...mongo, documents: { ...documents, fetch } } };
    const slow = await openStreams({ ...register, stores });
    await expect(slow.open("/companies", reading.signal)).rejects.toThrow(/abort/);
    // The bounds of the stream are stored in two documents.
    await waitUntil(() => Promise.resolve(looks.ended === 2 && looks.begun === 2), "the bounds are found");
    await sleep(10);
    await waitUntil(() => Promise.resolve(slow.countReaders().companies === 0), "the reader is not counted");
    await slow.close();
  });

  it("gets empty lines while nothing happens, until its key is revoked", async () => {
    const { documents } = register.stores.mongo;
    const key = await addTestKey(documents, "leaving", { name: "leaving", kind: "stream" });
    const { body } = await fetch(`${server.base}/companies`, { headers: basic("leaving") });
    await removeKey(documents, key);
    expect(await new Response(body).text()).toMatch(/^\n{3,}$/);
  });

  it("gets nothing more once its application has lost the scope", async () => {
    const { documents } = register.stores.mongo;
    const terms = { name: "narrowed", kind: "stream" as const, scopes: ["company.read"] };
    const { application } = await addTestKey(documents, "narrowed", terms);
    const { body } = await fetch(`${server.base}/companies`, { headers: basic("narrowed") });
    await documents.amend(applications.collection, [{ _id: application, scopes: ["search.read"] }]);
    expect(await new Response(body).text()).toMatch(/^\n{3,}$/);
  });

  it("is limited in calls, and so is an address with wrong keys", async () => {
    // Another clock gives another window, since other tests send wrong keys too.
    const clock = () => new Date("2027-01-01T12:00:00Z");
    const config = { ...register.config, ANONYMOUS_LIMIT: 3 };
    const limited = await openStreams(register, { config, clock });
    await addTestKey(register.stores.mongo.documents, "limited", {
      name: "limited",
      kind: "stream",
      limit: 2,
    });
    const statusOf = async (key: string) => {
      const reading = new AbortController();
      const { status } = await fetch(`${limited.base}/charges`, {
        headers: basic(key),
        signal: reading.signal,
      });
      reading.abort();
      return status;
    };
    expect([await statusOf("limited"), await statusOf("limited"), await statusOf("limited")]).toEqual([
      200, 200, 429,
    ]);
    expect(await statusOf(STREAM_KEY)).toBe(200);
    const wrong: number[] = [];
    for (let at = 0; at < 4; at += 1) wrong.push(await statusOf(`wrong-${at}`));
    expect(wrong).toEqual([401, 401, 401, 429]);
    // A key that was right lately keeps working.
    expect(await statusOf(STREAM_KEY)).toBe(200);
    await limited.close();
  });

  it("gets every event, however many changes without events lie between", async () => {
    const { documents } = register.stores.mongo;
    const next = await server.timepointNow();
    // The first and last positions of one look and of fifty looks in a row, and the positions after those.
    const gaps = [0, 999, 1_000, 49_999, 50_000];
    let position = Number((await fetchLive(documents)).position);
    const events = gaps.map((gap, at) => {
      position += 1 + gap;
      const known = { at: "2026-12-08T12:00:00", ids: [NUMBERS[at] ?? ""], left: [] };
      return { ...known, collection: "companies", position: toPosition(position) };
    });
    await putEvents(documents, events);
    await documents.amend(FOLLOWERS, [{ _id: "live", position: toPosition(position + 2_000) }]);
    const sent = await server.read(`/companies?timepoint=${next}`, gaps.length);
    expect(sent.map(({ resource_id }) => resource_id)).toEqual(NUMBERS.slice(0, gaps.length));
  });

  it("is disconnected when the server stops, after a complete line", async () => {
    const other = await openStreams(register);
    const { body } = await other.open("/companies");
    const text = new Response(body).text();
    await new Promise((resolve) => setTimeout(resolve, 200));
    other.end();
    expect(await text).toBe("\n");
    await other.close();
  });
});
