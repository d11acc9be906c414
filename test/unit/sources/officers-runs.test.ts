import { describe, expect, it } from "@jest/globals";
import { checkSets } from "../../../ingest/load/editions.ts";
import type { FileSurvey } from "../../../ingest/load/open-file.ts";
import { partOf } from "../../../ingest/sources/frame.ts";
import { snapshotSeries, updateSeries } from "../../../ingest/sources/officers-runs.ts";
import { officersSnapshot } from "../../../ingest/sources/officers-snapshot.ts";

const { check: checkRuns } = updateSeries;
const { check: noteUpdates, runOf: snapshotRunOf } = snapshotSeries;

const files = (...runs: number[]) =>
  runs.map((run) => ({
    file: `Prod198_${run}.dat`,
    context: { run: String(run) },
    rows: 1,
    last: undefined,
    tally: {},
  }));
const snapshot = (run: number, regions = ["ew", "sc", "ni"], product = "195") =>
  regions.map((region) => [`officers-snapshot/${product}/${region}`, run] as const);

describe("updates", () => {
  it("that follow the snapshot and each other give no note", () => {
    expect(checkRuns(files(4322, 4323), new Map(snapshot(4321)), false)).toEqual([]);
    const stored = new Map([...snapshot(4321), ["officers-update", 4325] as const]);
    expect(checkRuns(files(4326), stored, false)).toEqual([]);
  });

  it.each([
    ["out of order", files(4323, 4322), /Prod198_4322\.dat is run 4322 and comes after Prod198_4323\.dat/],
    ["named twice", files(4322, 4322), /each once/],
    ["after a gap of one run", files(4323), /is run 4323, and run 4322 is missing/],
    ["with a gap between two of them", files(4322, 4326), /is run 4326, and runs 4323 to 4325 are missing/],
  ])("%s are refused", (_name, named, reason) => {
    expect(() => checkRuns(named, new Map(snapshot(4321)), false)).toThrow(reason);
  });

  it("after a gap are applied with --force, with a note of the missing runs; out of order they never are", () => {
    const stored = new Map(snapshot(4321));
    expect(checkRuns(files(4326), stored, true)).toEqual([
      expect.stringMatching(/runs 4322 to 4325 are missing/),
    ]);
    expect(() => checkRuns(files(4323, 4322), stored, true)).toThrow(/ascending order/);
  });

  it("that were applied before, or are in the snapshot, give different notes", () => {
    const stored = new Map([...snapshot(4321), ["officers-update", 4323] as const]);
    expect(checkRuns(files(4321, 4322), stored, false)).toEqual([
      expect.stringMatching(/run 4321 is not newer than the snapshot of run 4321/),
      expect.stringMatching(/run 4322 was applied before \(the last run was 4323\)/),
    ]);
  });

  it("without a snapshot of all regions may begin with any run, with a note", () => {
    const stored = new Map(snapshot(4321, ["ew", "ni"]));
    expect(checkRuns(files(4400), stored, false)).toEqual([
      expect.stringMatching(/runs before 4400 may be missing/),
    ]);
  });
});

it("updates follow the product with the later run that is loaded for all regions", () => {
  const stored = new Map([
    ...snapshot(4321),
    ...snapshot(4400, ["ew"]),
    ...snapshot(4350, ["ew", "sc", "ni"], "216"),
  ]);
  expect(checkRuns(files(4351), stored, false)).toEqual([]);
  expect(checkRuns(files(4350), stored, false)).toEqual([
    expect.stringMatching(/run 4350 is not newer than the snapshot of run 4350/),
  ]);
});

it("a snapshot that is older than applied updates gives a note, as updates before the first snapshot do", () => {
  const stored = new Map([["officers-update", 4322]]);
  expect(noteUpdates(files(4322, 4323), stored)).toEqual([]);
  expect(noteUpdates(files(4321), new Map(snapshot(4400)))).toEqual([]);
  expect(noteUpdates(files(4321, 4320), stored)).toEqual([
    expect.stringMatching(
      /_4321\.dat: updates up to run 4322 have been applied, and this is run 4321.*adds later$/,
    ),
  ]);
  expect(checkRuns(files(4322), new Map(), false)).toEqual([
    expect.stringMatching(
      /^Prod198_4322\.dat: no snapshot of all regions.*Load the snapshot first: .*adds later$/,
    ),
  ]);
});

it("the run of a snapshot is remembered if its name has product and region", () => {
  expect(snapshotRunOf({ run: "4321", product: "195", region: "ew" })).toEqual({
    series: "officers-snapshot/195/ew",
    run: 4321,
  });
  expect(snapshotRunOf({ run: "4321" })).toBeUndefined();
});

describe("snapshot files that are loaded together", () => {
  const surveyOf = (name: string, header: string): FileSurvey => {
    const first = { line: 1, text: header };
    const context = officersSnapshot.open(first, name);
    return {
      path: name,
      fills: [],
      file: name,
      name,
      source: officersSnapshot,
      context,
      rows: 1,
      last: first,
      tally: {},
      facts: { file: name, source: officersSnapshot.name, rows: 1, name, part: partOf(context)! },
    };
  };
  const check =
    (...surveys: FileSurvey[]) =>
    () =>
      checkSets(surveys);
  const ew = surveyOf("Prod195_4400_ew_1_01112026010001.dat", "DDDDSNAP440020261101");
  const secondEw = surveyOf("Prod195_4400_ew_2_01112026010001.dat", "DDDDSNAP440020261101");
  const ni = surveyOf("Prod195_4400_ni_1_01112026010001.dat", "DDDDSNAP440020261101");

  it("must be of one run and day", () => {
    expect(check(ew, secondEw, ni)).not.toThrow();
    const older = surveyOf("Prod195_4300_sc_1_01092026010001.dat", "DDDDSNAP430020260901");
    expect(check(ew, older, ni)).toThrow(
      "Prod195_4400_ew_1_01112026010001.dat and Prod195_4300_sc_1_01092026010001.dat are parts of two editions " +
        "(run 4400 of 2026-11-01, run 4300 of 2026-09-01): load the editions one after the other",
    );
    const otherDay = surveyOf("Prod195_4400_sc_1_01112026010001.dat", "DDDDSNAP440020261102");
    expect(check(ew, otherDay)).toThrow(/run 4400 of 2026-11-01, run 4400 of 2026-11-02/);
  });

  it("must each be named once", () => {
    const again = surveyOf("PROD195_4400_EW_1_01112026010001.dat", "DDDDSNAP440020261101");
    expect(check(ew, ni, again)).toThrow(/are both part ew_1: name it once/);
  });

  it.each([".dat", " (1).dat", "-copy.dat"])(
    "are different parts even if their names have no time: %s",
    (ending) => {
      const [first, second] = [1, 2].map((part) =>
        surveyOf(`Prod195_4400_ew_${part}${ending}`, "DDDDSNAP440020261101"),
      ) as [FileSurvey, FileSurvey];
      expect(check(first, second)).not.toThrow();
      expect([first, second, ew].map(({ context }) => context.part)).toEqual(["ew_1", "ew_2", "ew_1"]);
    },
  );

  it("may be of two runs if they are of two products, or have other names", () => {
    const resigned = surveyOf("Prod216_4300_ew_1_01092026010001.dat", "DDDDSNAP430020260901");
    const renamed = surveyOf("officers.dat", "DDDDSNAP420020260801");
    expect(check(ew, resigned, renamed, ni)).not.toThrow();
  });
});
