import { describe, expect, it } from "@jest/globals";
import { noCounts } from "../../../ingest/history/counts.ts";
import { formatRefused, formatRefusedRow, formatRow, formatTotals } from "../../../ingest/progress.ts";

it("the totals of a load name the row of a warning, or the first of several", () => {
  const counts = {
    ...noCounts(),
    warnings: { "b left out": 2, "a left out": 1 },
    warnedRows: { "a left out": { file: "some.csv", line: 7 }, "b left out": { file: "some.csv", line: 9 } },
  };
  expect(formatTotals(counts, 1_000).slice(-2)).toEqual([
    "warning   1 × a left out (some.csv, line 7)",
    "warning   2 × b left out (first: some.csv, line 9)",
  ]);
});

it("the totals of a load show removed and skipped rows if it has some, and its speed if its time is known", () => {
  const counts = { ...noCounts(), read: 2_000, written: 1_990, unchanged: 9, refused: 1 };
  const least = ["read      2,000 rows", "written   1,990", "unchanged 9", "refused   1"];
  expect(formatTotals(counts, undefined)).toEqual(least);
  expect(formatTotals({ ...counts, removed: 3, skipped: 2 }, 4_000)).toEqual([
    "read      2,000 rows in 4.0 s (500 rows/s)",
    ...["written   1,990", "removed   3", "unchanged 9", "refused   1"],
    "skipped   2 (lines without a record of their own)",
  ]);
});

describe("a refused row", () => {
  const row = {
    load: "a-load",
    file: "some.csv",
    line: 7,
    source: "company-csv",
    reason: "odd",
    text: "x,y",
  };
  const field = "company_number";

  it("is shown with its field, if that is known", () => {
    expect(formatRefused(row)).toBe("refused: some.csv, line 7: odd");
    expect(formatRefused({ ...row, field })).toBe("refused: some.csv, line 7: company_number: odd");
    expect(formatRow(row)).toBe("some.csv:7  odd  x,y");
    expect(formatRow({ ...row, field })).toBe("some.csv:7  company_number: odd  x,y");
    const facts = ["load    a-load", "file    some.csv", "line    7", "source  company-csv"];
    expect(formatRefusedRow(row)).toEqual([...facts, "reason  odd", "", "x,y"]);
    expect(formatRefusedRow({ ...row, field })).toContain("field   company_number");
    const { text, ...others } = row;
    const bytes = Buffer.from([...Buffer.from(text), 0xe9]).toString("base64");
    expect(formatRefusedRow({ ...others, bytes })).toEqual([
      ...[...facts, "reason  odd", "bytes   bytes that are not text are marked", "", "x,y⟨E9⟩"],
    ]);
  });

  it("is listed on one line, of which at most 80 characters are its own", () => {
    expect(formatRow({ ...row, text: "x\ny" })).toBe("some.csv:7  odd  x y");
    expect(formatRow({ ...row, text: "x".repeat(80) })).toBe(`some.csv:7  odd  ${"x".repeat(80)}`);
    expect(formatRow({ ...row, text: "x".repeat(81) })).toBe(`some.csv:7  odd  ${"x".repeat(80)}…`);
  });
});
