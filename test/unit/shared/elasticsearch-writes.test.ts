import type { Client } from "@elastic/elasticsearch";
import { expect, it } from "@jest/globals";
import { BuildGoneError, UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { writeDocuments } from "../../../api/shared/stores/elasticsearch/writes.ts";

const WRITES = ["a", "b"].map((id) => ({ id, version: 1, document: {} }));
const written = { status: 201 };
const busy = { status: 429, error: { type: "es_rejected_execution_exception", reason: "the queue is full" } };
const missing = { status: 404, error: { type: "index_not_found_exception", reason: "no such index" } };

/** Writes two documents. The engine answers each request with the next of these lists; the last one repeats. */
async function write(answers: { status: number; error?: object }[][], target = {}) {
  const asked: number[] = [];
  const bulk = ({ operations }: { operations: unknown[] }) => {
    const items = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(operations.length / 2);
    return Promise.resolve({
      errors: items.some(({ status }) => status >= 300),
      items: items.map((index) => ({ index })),
    });
  };
  // The cast: the write uses nothing else of a client.
  const client = { bulk } as unknown as Client;
  const result = await writeDocuments(client, { alias: "companies", ...target }, WRITES).catch(
    (thrown: unknown) => thrown,
  );
  return { asked, result };
}

it.each([
  ["a newer one came first", { status: 409, error: { type: "version_conflict_engine_exception" } }],
  ["it was already removed", { status: 404 }],
])("a document is not refused because %s", async (_why, item) => {
  expect(await write([[item, written]])).toEqual({ asked: [2], result: [] });
});

it("a refused document is named with the engine's reason, or else with its status", async () => {
  const unfit = { status: 400, error: { type: "strict_dynamic_mapping_exception", reason: "unknown field" } };
  expect(await write([[unfit, { status: 400 }]])).toEqual({
    asked: [2],
    result: [
      { id: "a", reason: "unknown field" },
      { id: "b", reason: "status 400" },
    ],
  });
});

it("documents that the engine has no time for, or no index yet, are sent again without the others", async () => {
  expect(await write([[busy, missing], [written, busy], [written]])).toEqual({
    asked: [2, 2, 1],
    result: [],
  });
});

it("the fifth failure in a row ends a write, with the engine's reason", async () => {
  const { asked, result } = await write([[busy, written], [busy]]);
  expect(asked).toEqual([2, 1, 1, 1, 1]);
  expect(result).toEqual(new UnavailableError("elasticsearch", "the queue is full"));
});

it("a write into a build that is gone is not sent again", async () => {
  const { asked, result } = await write([[missing, missing]], { mayBeGone: true });
  expect(asked).toEqual([2]);
  expect(result).toEqual(new BuildGoneError("companies"));
});
