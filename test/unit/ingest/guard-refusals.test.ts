/** When refused rows stop a load. */
import { expect, it } from "@jest/globals";
import { noCounts } from "../../../ingest/history/counts.ts";
import type { FileSurvey, LoadRun } from "../../../ingest/load/open-file.ts";
import { guardRefusals } from "../../../ingest/load/read-files.ts";

const counts = (read: number, refused: number) => ({ ...noCounts(), read, refused });

/** Runs the check of a resumed load with the counts of its file before and now. */
function checkAfter(
  before: ReturnType<typeof counts>,
  now: ReturnType<typeof counts>,
  { plan = {}, isForced = false } = {},
) {
  const record = { _id: "a-load", plan, counts: before };
  // The cast: the check reads nothing else.
  const run = { context: { config: { REFUSED_MAX_PERCENT: 10 } }, record, isForced } as unknown as LoadRun;
  const check = guardRefusals(run, { file: "a.csv" } as FileSurvey, () => before);
  record.counts = now;
  return check;
}

it("the check of refused rows also counts rows that the file had before the load was resumed", () => {
  expect(checkAfter(counts(500_000, 0), counts(502_000, 300))).not.toThrow();
  expect(checkAfter(counts(1_000, 150), counts(1_100, 150))).toThrow(/150 of 1,100 rows were refused so far/);
});

it("as many refused rows as the setting allows stop no load, and one more does; fewer than 100 never do", () => {
  const before = counts(0, 0);
  expect(checkAfter(before, counts(1_000, 100))).not.toThrow();
  expect(checkAfter(before, counts(999, 100))).toThrow(/100 of 999 rows/);
  expect(checkAfter(before, counts(99, 99))).not.toThrow();
});

it("refused rows stop neither a forced load nor one of mended rows, which has those that could not be mended", () => {
  const [before, now] = [counts(0, 0), counts(1_000, 1_000)];
  expect(checkAfter(before, now, { isForced: true })).not.toThrow();
  expect(checkAfter(before, now, { plan: { mends: { load: "b", place: 1 } } })).not.toThrow();
});
