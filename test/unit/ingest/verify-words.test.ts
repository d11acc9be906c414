import { expect, it } from "@jest/globals";
import { describeCounts } from "../../../ingest/commands/verify.ts";

const COUNTS = { expected: 15_267, found: 15_267, missing: 0, extra: 0, different: 0 };

it.each([
  ["nothing, if they are equal", COUNTS, "15,267 documents expected, 15,267 found"],
  [
    "nothing, if the missing documents explain it",
    { ...COUNTS, found: 15_266, missing: 1 },
    "15,267 documents expected, 15,266 found",
  ],
  [
    "the likely reason, if no difference explains it",
    { ...COUNTS, found: 15_274 },
    "15,267 documents expected, 15,274 found (some changed meanwhile, or cannot be read)",
  ],
])("verify adds to the numbers of documents %s", (_what, counts, words) => {
  expect(describeCounts(counts)).toBe(words);
});
