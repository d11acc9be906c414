import { expect, it } from "@jest/globals";
import type { DocumentStore } from "../../../api/shared/stores/mongodb/mongo.ts";
import { writeKeptRows, type RefusedRow } from "../../../ingest/refused-rows/refused-rows.ts";

const refusedRow: RefusedRow = { load: "l", file: "f", line: 7, source: "s", reason: "r" };

it("a refused row is stored unchanged, even if it is very long", async () => {
  const documents: unknown[] = [];
  const store: Partial<DocumentStore> = {
    putMissing: (_collection, given) => {
      documents.push(...given);
      return Promise.resolve(new Set());
    },
  };
  const text = "x".repeat(1_000_000);
  await writeKeptRows(store as DocumentStore, [{ ...refusedRow, text }]);
  expect(documents).toEqual([{ _id: "l:f:0000000007", ...refusedRow, text }]);
});

it("a row that one batch has only as the neighbour of a refused one counts as refused if another batch refuses it", async () => {
  const stored = new Map<string, object>();
  const store: Partial<DocumentStore> = {
    putMissing: (_collection, given) => {
      const existing = given.filter(({ _id }) => stored.has(_id)).map(({ _id }) => _id);
      for (const one of given) if (!stored.has(one._id)) stored.set(one._id, one);
      return Promise.resolve(new Set(existing));
    },
    put: (_collection, one) => Promise.resolve(void stored.set(one._id, one)),
  };
  const { load, file, line, source } = refusedRow;
  const neighbour = { load, file, line, source, text: "x" };
  for (const row of [neighbour, { ...refusedRow, text: "x" }, neighbour])
    await writeKeptRows(store as DocumentStore, [row]);
  expect([...stored.values()]).toEqual([{ _id: "l:f:0000000007", ...refusedRow, text: "x" }]);
});
