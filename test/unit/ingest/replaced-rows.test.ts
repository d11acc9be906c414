/** Which refused rows a later load makes obsolete. */
import { describe, expect, it } from "@jest/globals";
import type { LoadedFile, LoadRecord } from "../../../ingest/history/loads.ts";
import { isReplaced } from "../../../ingest/refused-rows/refused-rows.ts";

const NOVEMBER = "2026-11-01";
const DECEMBER = "2026-12-01";
const FIRST_LOAD = { started_at: "2026-11-20T09:00:00.000Z", files: ["a.csv"], plan: { isComplete: false } };
const SECOND_LOAD = { ...FIRST_LOAD, started_at: "2026-12-20T09:00:00.000Z" };
const WHOLE = { ...SECOND_LOAD, plan: { isComplete: true } };

type Load = Pick<LoadRecord, "started_at" | "files"> & { plan: { isComplete: boolean; asOf?: string } };

/** A file of the company CSV in a load, with these members. */
function aFile(members: Partial<LoadedFile>, load: Load): LoadedFile {
  const known = { file: "a.csv", path: "a.csv", name: "a.csv", source: "company-csv", rows: 10 };
  return { ...known, ...members, of: load as LoadRecord }; // nothing else of a load is used
}

const dated = (day: string) => ({ production_date: day });
const officers = (members: Partial<LoadedFile>) => ({
  source: "officers-snapshot",
  ...dated(NOVEMBER),
  ...members,
});
const part = (product: string) => ({ product, part: "ew_1", edition: "x" });

describe("the refused rows of a file", () => {
  it.each<[string, Partial<LoadedFile>, Partial<LoadedFile>, Load]>([
    ["the same file, with a day", dated(NOVEMBER), dated(NOVEMBER), SECOND_LOAD],
    ["the same file, without a day", {}, {}, SECOND_LOAD],
    ["a whole edition of its day", dated(NOVEMBER), { ...dated(NOVEMBER), file: "b.csv", rows: 9 }, WHOLE],
    ["a whole edition of a later day", dated(NOVEMBER), dated(DECEMBER), WHOLE],
    ["a whole edition where neither has a day", {}, { file: "b.csv", rows: 9 }, WHOLE],
    [
      "a whole edition of a day after the load of a file without a day",
      {},
      { ...dated(DECEMBER), rows: 9 },
      WHOLE,
    ],
    [
      "a whole edition of the same region and product",
      officers({ scope: "ew", part: part("195") }),
      officers({ scope: "ew", part: part("195"), rows: 9 }),
      WHOLE,
    ],
  ])("are replaced by %s", (_what, file, later, load) => {
    expect(isReplaced(aFile(file, FIRST_LOAD), [aFile(later, load)])).toBe(true);
  });

  const streamed = { source: "streaming-events" };
  it.each<[string, Partial<LoadedFile>, Partial<LoadedFile>, Load]>([
    ["a file of another name", dated(NOVEMBER), { ...dated(NOVEMBER), file: "b.csv" }, SECOND_LOAD],
    ["a file of another number of rows", {}, { rows: 11 }, SECOND_LOAD],
    ["a file of another format", {}, { source: "psc-snapshot" }, SECOND_LOAD],
    ["a later edition that is not known to be whole", dated(NOVEMBER), dated(DECEMBER), SECOND_LOAD],
    [
      "a whole edition of another source",
      dated(NOVEMBER),
      { ...dated(DECEMBER), source: "psc-snapshot" },
      WHOLE,
    ],
    ["an earlier whole edition", dated(DECEMBER), dated(NOVEMBER), WHOLE],
    ["a whole edition of a day before the load of a file without a day", {}, dated(NOVEMBER), WHOLE],
    [
      "the same file as of an earlier moment",
      {},
      {},
      { ...SECOND_LOAD, plan: { isComplete: false, asOf: NOVEMBER } },
    ],
    ["mended rows", {}, { mends: "a.csv" }, SECOND_LOAD],
    [
      "standard input",
      { file: "standard input" },
      { file: "standard input" },
      { ...SECOND_LOAD, files: ["-"] },
    ],
    ["a later file of events", streamed, streamed, SECOND_LOAD],
    ["a later file of updates", { source: "officers-update" }, { source: "officers-update" }, SECOND_LOAD],
    [
      "a whole edition of another region",
      officers({ scope: "ew" }),
      officers({ scope: "sc", rows: 9 }),
      WHOLE,
    ],
    [
      "a whole edition of another product",
      officers({ scope: "ew", part: part("195") }),
      officers({ scope: "ew", part: part("216"), rows: 9 }),
      WHOLE,
    ],
  ])("are not replaced by %s", (_what, file, later, load) => {
    expect(isReplaced(aFile(file, FIRST_LOAD), [aFile(later, load)])).toBe(false);
  });
});
