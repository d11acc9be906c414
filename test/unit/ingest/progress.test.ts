import { expect, it } from "@jest/globals";
import { noCounts } from "../../../ingest/history/counts.ts";
import { formatTotals } from "../../../ingest/progress.ts";

it("the totals of a load name the row of a warning, or the first of several", () => {
  const counts = {
    ...noCounts(),
    warnings: { "a left out": 1, "b left out": 2 },
    warnedRows: { "a left out": { file: "some.csv", line: 7 }, "b left out": { file: "some.csv", line: 9 } },
  };
  expect(formatTotals(counts, 1_000).slice(-2)).toEqual([
    "warning   1 × a left out (some.csv, line 7)",
    "warning   2 × b left out (first: some.csv, line 9)",
  ]);
});
