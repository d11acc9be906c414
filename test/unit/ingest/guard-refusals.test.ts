/** When refused rows stop a resumed load. */
import { expect, it } from "@jest/globals";
import { noCounts } from "../../../ingest/history/counts.ts";
import type { FileSurvey, LoadRun } from "../../../ingest/load/open-file.ts";
import { guardRefusals } from "../../../ingest/load/read-files.ts";

const counts = (read: number, refused: number) => ({ ...noCounts(), read, refused });

/** Runs the check of a resumed load with the counts of its file before and now. */
function checkAfter(before: ReturnType<typeof counts>, now: ReturnType<typeof counts>) {
  const record = { _id: "a-load", plan: {}, counts: before };
  // The cast: the check reads nothing else.
  const run = { context: { config: { REFUSED_MAX_PERCENT: 10 } }, record } as unknown as LoadRun;
  const check = guardRefusals(run, { file: "a.csv" } as FileSurvey, () => before);
  record.counts = now;
  return check;
}

it("the check of refused rows also counts rows that the file had before the load was resumed", () => {
  expect(checkAfter(counts(500_000, 0), counts(502_000, 300))).not.toThrow();
  expect(checkAfter(counts(1_000, 150), counts(1_100, 150))).toThrow(/150 of 1,100 rows were refused so far/);
});
