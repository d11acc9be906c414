import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { SearchDefinition } from "../../../../api/search/define-search.ts";
import { openWireClient } from "../../../../scripts/bench/http-client.ts";
import { openRecorder, replay, type Recorder } from "../../../../scripts/bench/search/exchanges.ts";
import { serve } from "../../../support/serve.ts";

/** The requests that reached the engine, which finds nothing. */
const received: string[] = [];
let engine: Awaited<ReturnType<typeof serve>>;
let recorder: Recorder;

beforeAll(async () => {
  engine = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
      const answer = { took: 5, timed_out: false, hits: { total: { value: 0 }, hits: [] } };
      response.setHeader("x-elastic-product", "Elasticsearch");
      response.setHeader("content-type", "application/vnd.elasticsearch+json;compatible-with=9");
      response.end(JSON.stringify(answer));
    });
  });
  recorder = await openRecorder({ url: engine.base, prefix: "p-", timeoutMs: 5_000 });
});

afterAll(async () => {
  await recorder.close();
  await engine.close();
});

const facts = { indices: ["companies"], parameters: {} };
const inPhases = {
  ...facts,
  phases: () => ({ build: (phase: string) => ({ query: { [phase]: {} } }) }),
} as unknown as SearchDefinition;
const sideBySide = {
  ...facts,
  fetch: async (ask: (body: object) => Promise<unknown>) => {
    await ask({ query: { first: {} } });
    await Promise.all([ask({ query: { above: {} } }), ask({ query: { below: {} } })]);
    return { total: 1, hits: [] };
  },
} as unknown as SearchDefinition;

it("records the phases of a search as rounds of one request", async () => {
  const rounds = await recorder.record(inPhases, {});
  expect(rounds.map((round) => round.length)).toEqual([1, 1]);
  expect(rounds[1]?.[0]?.body?.toString()).toContain("tolerant");
});

it.each([
  ["bramble", true],
  ["bramble hill", false],
])(
  "records a request for %s as the API sends it; the engine may cache the answer: %s",
  async (q, isCached) => {
    const parameters = { q: { kind: "text", description: "" } };
    const asked = { ...inPhases, parameters } as unknown as SearchDefinition;
    const [[first] = []] = await recorder.record(asked, { q });
    expect(first?.path.includes("request_cache=true")).toBe(isCached);
  },
);

it("records parallel requests as one round", async () => {
  const rounds = await recorder.record(sideBySide, {});
  expect(rounds.map((round) => round.length)).toEqual([1, 2]);
});

it("sends the same bytes again, and adds up what the engine took round by round", async () => {
  received.length = 0;
  const rounds = await recorder.record(sideBySide, {});
  const recorded = received.splice(0);
  expect(recorded).toHaveLength(3);
  const client = openWireClient(engine.base);
  const { took } = await replay(client, rounds);
  client.close();
  expect(received.toSorted()).toEqual(recorded.toSorted());
  expect(took).toBe(10);
});
