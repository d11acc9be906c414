import { expect, it } from "@jest/globals";
import { noCounts } from "../../../ingest/history/counts.ts";
import { formatRefused, formatTotals } from "../../../ingest/progress.ts";

const ERASE = "\u001b[2J\rgone";
const MARKED = "⟨1B⟩[2J⟨0D⟩gone";

it("marks what a refused row would steer the terminal with", () => {
  const row = { file: "some.jsonl", line: 7, field: `data.${ERASE}`, reason: `${ERASE} is not known` };
  expect(formatRefused(row)).toBe(`refused: some.jsonl, line 7: data.${MARKED}: ${MARKED} is not known`);
});

it("marks what a warning would steer the terminal with", () => {
  const lines = formatTotals({ ...noCounts(), warnings: { [`status ${ERASE} left out`]: 1_200 } }, 1_000);
  expect(lines.at(-1)).toBe(`warning   1,200 × status ${MARKED} left out`);
});

it("names the row of a warning, and the first of several", () => {
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
