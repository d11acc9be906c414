import { describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../../api/core/stores/mongo.ts";
import { writeDeadLetters, type DeadLetter } from "../../../ingest/dead-letters.ts";

const letter: DeadLetter = { load: "l", file: "f", line: 7, source: "s", reason: "r" };

async function kept(given: Partial<DeadLetter>): Promise<unknown> {
  const documents: unknown[] = [];
  const store: Partial<DocumentStore> = {
    putMissing: (_collection, some) => {
      documents.push(...some);
      return Promise.resolve(new Set());
    },
  };
  await writeDeadLetters(store as DocumentStore, [{ ...letter, ...given }]);
  return documents[0];
}

describe("dead letters", () => {
  it("keep a row as it came", async () => {
    expect(await kept({ text: "x".repeat(65_536) })).toEqual({
      _id: "l:f:0000000007",
      ...letter,
      text: "x".repeat(65_536),
    });
  });

  it.each(["text", "bytes"])("keep the first 64 kB of longer %s and say so", async (member) => {
    expect(await kept({ [member]: "x".repeat(65_537) })).toEqual({
      _id: "l:f:0000000007",
      ...letter,
      [member]: "x".repeat(65_536),
      cut: true,
    });
  });
});
