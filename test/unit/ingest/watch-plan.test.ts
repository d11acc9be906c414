import { describe, expect, it } from "@jest/globals";
import { sources } from "../../../ingest/sources/index.ts";
import { planBatches, type DroppedFile } from "../../../ingest/watch/plan.ts";

const HEADERS: Record<string, string> = {
  csv: "CompanyName,CompanyNumber,CompanyCategory,CompanyStatus",
  psc: '{"company_number":"99000001","data":{}}',
  json: '{"resource_kind":"charges"}',
  event: '{"resource_kind":"charges","event":{}}',
};

/** A file of this source, with this first line or one of these headers. */
function file(source: string, name: string, first: string, isAtRest = true): DroppedFile {
  const found = sources.find((one) => one.name === source)!; // the name of a test
  const text = HEADERS[first] ?? first;
  return { name, isAtRest, format: { source: found, context: found.open({ line: 1, text }, name) } };
}
const company = (name: string, isAtRest?: boolean) => file("company-csv", name, "csv", isAtRest);
const psc = (name: string, isAtRest?: boolean) => file("psc-snapshot", name, "psc", isAtRest);
const snapshot = (name: string, run = 4321, isAtRest?: boolean) =>
  file("officers-snapshot", name, `DDDDSNAP${run}20261101`, isAtRest);
const update = (run: number, day: string) =>
  file("officers-update", `Prod198_${run}.dat`, `DDDDUPDT${run}${day}`);
const unknown = (name: string, isAtRest = true): DroppedFile => ({ name, isAtRest, format: undefined });
const REGIONS = ["ew", "sc", "ni"].map((region) => snapshot(`Prod195_4321_${region}_1.dat`));
const HELD = new Map(["ew", "sc", "ni"].map((region) => [`officers-snapshot/195/${region}`, 4321]));

const namesOf = (batches: { names: string[] }[]) => batches.map(({ names }) => names.join(" "));

describe("the plan of a watched folder", () => {
  it("goes by day, with updates behind the snapshot of their day, and files without a day last", () => {
    const files = [
      file("streaming-events", "charges.ndjson", "event"),
      unknown("what.bin"),
      file("api-json-lines", "charges.jsonl", "json"),
      company("extract.csv"),
      update(4323, "20261103"),
      psc("psc-snapshot-2026-11-02.txt"),
      update(4322, "20261101"),
      company("BasicCompanyData-2026-11-01.csv"),
      ...REGIONS,
    ];
    const batches = planBatches(files, new Map(), false);
    expect(namesOf(batches)).toEqual([
      "BasicCompanyData-2026-11-01.csv",
      "Prod195_4321_ew_1.dat Prod195_4321_ni_1.dat Prod195_4321_sc_1.dat",
      "Prod198_4322.dat",
      "psc-snapshot-2026-11-02.txt",
      "Prod198_4323.dat",
      "extract.csv",
      "charges.jsonl",
      "charges.ndjson",
      "what.bin",
    ]);
    expect(batches.flatMap(({ waits }) => waits ?? [])).toEqual([]);
  });

  it("has an update wait for the run before it", () => {
    const batches = planBatches([update(4324, "20261104"), update(4322, "20261102")], HELD, false);
    expect(batches.map(({ waits }) => waits)).toEqual([undefined, "run 4323 must be loaded first"]);
  });

  it("has parts wait for each other, by edition", () => {
    const parts = ["2026-11-01_1of2", "2026-11-01_2of2", "2026-11-02_1of3"];
    const batches = planBatches(
      parts.map((part) => psc(`psc-snapshot-${part}.txt`)),
      new Map(),
      false,
    );
    expect(batches.map(({ waits }) => waits)).toEqual([undefined, "part 2, 3 of 3 is missing"]);
  });

  it("has files wait for an earlier one of the same records that is still being written", () => {
    const files = [
      company("BasicCompanyData-2026-12-01.csv"),
      company("BasicCompanyData-2026-11-01.csv", false),
      psc("psc-snapshot-2026-12-01.txt"),
      snapshot("Prod195_4330_ew_1.dat", 4330, false),
      update(4322, "20261102"),
      file("streaming-events", "charges.ndjson", "event", false),
      file("api-json-lines", "charges.jsonl", "json"),
      unknown("big.zip", false),
    ];
    expect(
      planBatches(files, HELD, false).map(({ names, isGrowing, waits }) => [names[0], isGrowing, waits]),
    ).toEqual([
      ["BasicCompanyData-2026-11-01.csv", true, undefined],
      ["Prod195_4330_ew_1.dat", true, undefined],
      ["Prod198_4322.dat", false, "Prod195_4330_ew_1.dat is still being written"],
      ["BasicCompanyData-2026-12-01.csv", false, "BasicCompanyData-2026-11-01.csv is still being written"],
      ["psc-snapshot-2026-12-01.txt", false, undefined],
      ["charges.jsonl", false, "BasicCompanyData-2026-11-01.csv is still being written"],
      ["charges.ndjson", true, undefined],
      ["big.zip", true, undefined],
    ]);
  });

  it("asks with --complete for whole editions that tell their day, and has them wait for what is missing", () => {
    const files = [
      company("BasicCompanyData-2026-11-01.csv"),
      company("extract.csv"),
      snapshot("Prod195_4321_ew_1.dat"),
      file("api-json-lines", "charges.jsonl", "json"),
    ];
    expect(
      planBatches(files, new Map(), true).map(({ names, isComplete, waits }) => [
        names[0],
        isComplete,
        waits,
      ]),
    ).toEqual([
      ["BasicCompanyData-2026-11-01.csv", true, undefined],
      ["Prod195_4321_ew_1.dat", true, "--complete: no file is named for sc, ni (_ew_, _sc_, _ni_)"],
      ["extract.csv", false, undefined],
      ["charges.jsonl", false, undefined],
    ]);
  });
});
