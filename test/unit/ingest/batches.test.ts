import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import { BatchCutter, type BatchLimits } from "../../../ingest/queue/batches.ts";
import { textOf, type ReadRow } from "../../../ingest/readers/read-rows.ts";

function cut(rows: ReadRow[], limits: BatchLimits, groupKey?: (text: string) => string): ReadRow[][] {
  const cutter = new BatchCutter(groupKey, limits);
  return [...rows.map((row) => cutter.push(row)), cutter.take()].filter((batch) => batch !== null);
}

const rowsOf = (...texts: string[]): ReadRow[] => texts.map((text, at) => ({ line: at + 1, text }));
const textsOf = (batches: ReadRow[][]) => batches.map((rows) => rows.map(textOf));
const firstLetter = (text: string) => text.charAt(0);

describe("batches", () => {
  it("end at the limit of rows", () => {
    expect(textsOf(cut(rowsOf("a", "b", "c", "d", "e"), { rows: 2, bytes: 1000 }))).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e"],
    ]);
  });

  it("end at the limit of bytes", () => {
    expect(textsOf(cut(rowsOf("aaaa", "bb", "c"), { rows: 100, bytes: 5 }))).toEqual([["aaaa", "bb"], ["c"]]);
  });

  it("are never cut inside a group", () => {
    expect(textsOf(cut(rowsOf("a1", "a2", "a3", "b1", "c1"), { rows: 2, bytes: 1000 }, firstLetter))).toEqual(
      [
        ["a1", "a2", "a3"],
        ["b1", "c1"],
      ],
    );
  });

  it("carry rows that could not be decoded among the others", () => {
    const bad = { line: 2, bytes: "yQ==", reason: "no text" };
    const rows = [{ line: 1, text: "a" }, bad, { line: 3, text: "b" }];
    expect(cut(rows, { rows: 5, bytes: 1000 })).toEqual([rows]);
  });

  it("leave out blank lines, which belong to no group and fill no batch", () => {
    const rows = rowsOf("", "a1", "", "a2", "b1", "", "");
    const batches = cut(rows, { rows: 2, bytes: 1000 }, firstLetter);
    expect(textsOf(batches)).toEqual([["a1", "a2"], ["b1"]]);
    expect(cut(rowsOf("", ""), { rows: 2, bytes: 1000 })).toEqual([]);
  });

  it("keep a row that could not be decoded with the group before it", () => {
    const bad = { line: 3, bytes: "yQ==", reason: "no text" };
    const [a1, a2, b1] = rowsOf("a1", "a2", "b1") as [ReadRow, ReadRow, ReadRow];
    const rows = [a1, a2, bad, { line: 4, text: "a3" }, b1];
    expect(cut(rows, { rows: 2, bytes: 1000 }, firstLetter)).toEqual([
      [a1, a2, bad, { line: 4, text: "a3" }],
      [b1],
    ]);
  });

  it.each([
    ["rows", { rows: 2, bytes: 1000 }],
    ["bytes", { rows: 1000, bytes: 4 }],
  ])("refuse a group of more than twenty times the limit of %s", (_kind, limits) => {
    const most = 40;
    const group = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ line: at + 2, text: at === 0 ? "b1" : "a1" }));
    expect(() => cut(group(most + 1), limits, firstLetter)).not.toThrow();
    expect(() => cut(group(most + 2), limits, firstLetter)).toThrow(SourceError);
    expect(() => cut(group(most + 2), limits, firstLetter)).toThrow(
      /^line 3: more than .* belong together \(key "a"\)/,
    );
    expect(() => cut(group(1000), limits)).not.toThrow();
  });
});
