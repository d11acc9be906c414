import { expect, it } from "@jest/globals";
import type { DocumentStore } from "../../../api/core/stores/mongo.ts";
import { writeDeadLetters, type DeadLetter } from "../../../ingest/dead-letters.ts";

const letter: DeadLetter = { load: "l", file: "f", line: 7, source: "s", reason: "r" };

it("dead letters keep a row as it came, however long", async () => {
  const documents: unknown[] = [];
  const store: Partial<DocumentStore> = {
    putMissing: (_collection, some) => {
      documents.push(...some);
      return Promise.resolve(new Set());
    },
  };
  const text = "x".repeat(1_000_000);
  await writeDeadLetters(store as DocumentStore, [{ ...letter, text }]);
  expect(documents).toEqual([{ _id: "l:f:0000000007", ...letter, text }]);
});
