import { describe, expect, it } from "@jest/globals";
import { BatchCutter, type Batch } from "../../../ingest/batches.ts";
import type { ReadRow } from "../../../ingest/readers/read-rows.ts";

function cut(
  rows: ReadRow[],
  limits: { rows: number; bytes: number },
  groupKey?: (text: string) => string,
): Batch[] {
  const cutter = new BatchCutter(groupKey, limits);
  return [...rows.map((row) => cutter.push(row)), cutter.take()].filter((batch) => batch !== null);
}

const rowsOf = (...texts: string[]): ReadRow[] => texts.map((text, at) => ({ line: at + 1, text }));
const textsOf = (batches: Batch[]) => batches.map((batch) => batch.rows.map((row) => row.text));

describe("batches", () => {
  it("are full at the number of rows", () => {
    expect(textsOf(cut(rowsOf("a", "b", "c", "d", "e"), { rows: 2, bytes: 1000 }))).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e"],
    ]);
  });

  it("are full at the number of bytes", () => {
    expect(textsOf(cut(rowsOf("aaaa", "bb", "c"), { rows: 100, bytes: 5 }))).toEqual([["aaaa", "bb"], ["c"]]);
  });

  it("are never cut inside a group", () => {
    const first = (text: string) => text.charAt(0);
    expect(textsOf(cut(rowsOf("a1", "a2", "a3", "b1", "c1"), { rows: 2, bytes: 1000 }, first))).toEqual([
      ["a1", "a2", "a3"],
      ["b1", "c1"],
    ]);
  });

  it("carry rows that could not be decoded beside the others", () => {
    const bad = { line: 2, bytes: "yQ==", reason: "no text" };
    expect(cut([{ line: 1, text: "a" }, bad], { rows: 5, bytes: 1000 })).toEqual([
      { rows: [{ line: 1, text: "a" }], unreadable: [bad] },
    ]);
  });

  it("are none for no rows", () => {
    expect(cut([], { rows: 2, bytes: 10 })).toEqual([]);
  });
});
