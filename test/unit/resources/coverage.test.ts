import { describe, expect, it } from "@jest/globals";
import {
  coverageOfCompany,
  coverageOfRegister,
  UPDATING_SOURCES,
  WHOLE_SOURCES,
  type LoadedSource,
} from "../../../api/shared/stores/collections/loaded-sources.ts";
import { INDEX_KINDS } from "../../../api/shared/definitions/define-index.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { coverage, records } from "../../../api/resources/index.ts";
import { indices } from "../../../index-mappings/index.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const OFFICERS = "officer-appointment";
const ENDED = "2026-11-02T06:00:00.000Z";

function loaded(source: string, rest: Partial<LoadedSource> = {}): LoadedSource {
  return { source, isWhole: true, loads: 1, as_of: "2026-11-01", loaded_at: ENDED, ...rest };
}

const snapshot = (scope: string) => loaded("officers-snapshot", { scope });

describe("the tables of kinds", () => {
  it("have only kinds of record that exist", () => {
    const names = records.map(({ name }) => name);
    const told = [WHOLE_SOURCES, UPDATING_SOURCES].flatMap((table) => Object.values(table).flat());
    expect(names).toEqual(expect.arrayContaining(told));
  });
});

describe("the table of indices", () => {
  it("has the kind of each index, as in its definition", () => {
    const told = Object.entries(INDEX_KINDS).map(([name, { record }]) => [name, record]);
    expect(told).toEqual(indices.map(({ name, record }) => [name, record.name]));
  });
});

describe("coverage for a company", () => {
  const ask = (stored: LoadedSource[], companyNumber?: string, kind = OFFICERS, hasRecords = false) =>
    coverageOfCompany(stored, { kind, companyNumber }, hasRecords);
  const none = { loaded: false, as_of: null };
  const all = { loaded: true, as_of: "2026-11-01" };

  it.each<[string, LoadedSource[], string | undefined, object]>([
    ["nothing loaded", [], "99000001", none],
    ["its region", [snapshot("ew")], "99000001", all],
    ["another region", [snapshot("sc")], "99000001", none],
    ["its region, Scotland", [snapshot("sc")], "SC990001", all],
    ["its region, an oversea company of Scotland", [snapshot("sc")], "SF099001", all],
    ["its region, Northern Ireland", [snapshot("ni")], "R0009901", all],
    ["files of no region", [loaded("officers-snapshot")], "NI990001", all],
    ["a part of an edition", [loaded("officers-snapshot", { isWhole: false })], "99000001", none],
    ["a company that the files leave out", [loaded("officers-snapshot")], "CE099001", none],
    ["updates alone", [loaded("officers-update")], "99000001", none],
    ["another kind", [loaded("psc-snapshot")], "99000001", none],
    ["loose lines", [loaded("api-json-lines")], "99000001", none],
    ["no company, all regions", ["ew", "sc", "ni"].map(snapshot), undefined, all],
    ["no company, two regions", ["ew", "sc"].map(snapshot), undefined, none],
  ])("by %s", (_what, stored, number, expected) => {
    expect(ask(stored, number)).toEqual(expected);
  });

  it("by the company CSV is of all but UK establishments, which it never has", () => {
    const csv = [loaded("company-csv")];
    expect(ask(csv, "FC099001", "company-profile")).toEqual(all);
    expect(ask(csv, "BR099001", "company-profile")).toEqual(none);
    expect(ask(csv, "BR099001", "company-profile", true)).toEqual({ loaded: true, as_of: null });
    expect(ask(csv, undefined, "company-profile")).toEqual(all);
  });

  it("is of the day of the latest update", () => {
    const update = loaded("officers-update", { as_of: "2026-11-05" });
    expect(ask([snapshot("ew"), update], "99000001")).toEqual({ loaded: true, as_of: "2026-11-05" });
  });

  it("says whether records exist, without a day if no source has one", () => {
    expect(ask([loaded("api-json-lines")], "99000001", "charge", true)).toEqual({
      loaded: true,
      as_of: null,
    });
  });
});

describe("coverage over the register", () => {
  it.each<[string, LoadedSource[], string, boolean, object]>([
    ["nothing", [], "charge", false, { loaded: "none", as_of: null, loaded_at: null, sources: [] }],
    [
      "loose lines of another kind",
      [loaded("api-json-lines")],
      "charge",
      false,
      { loaded: "none", sources: [] },
    ],
    [
      "loose lines",
      [loaded("streaming-events", { as_of: null })],
      "charge",
      true,
      { loaded: "some", as_of: null, loaded_at: ENDED, sources: [{ source: "streaming-events", loads: 1 }] },
    ],
    ["an edition", [loaded("psc-snapshot")], "psc-statement", false, { loaded: "all", as_of: "2026-11-01" }],
    ["a share", [snapshot("sc")], OFFICERS, true, { loaded: "some", sources: [{ scope: "sc" }] }],
  ])("by %s", (_what, stored, kind, hasRecords, expected) => {
    expect(coverageOfRegister(stored, kind, hasRecords)).toMatchObject(expected);
  });
});

it("GET /coverage answers every kind in order", async () => {
  const [version] = coverage.versions;
  const { records: reader } = createMemoryReader({}, [loaded("company-csv")]);
  const body = version.present(await coverage.read(reader, {}, {}), { today: "2026-11-21" });
  expect(compileCheck(version.schema)(body)).toBeNull();
  expect(body.items).toMatchObject(
    records.map(({ name }) => ({ record: name, loaded: name === "company-profile" ? "all" : "none" })),
  );
});

it.each([
  ["none where nothing is loaded", [], "none"],
  ["some where loads may have brought some", [loaded("api-json-lines")], "some"],
])("when a store takes too long to look for records, it answers: %s", async (_what, sources, expected) => {
  const { records: reader } = createMemoryReader({}, sources);
  const silent = { ...reader, fetchPage: () => new Promise<never>(() => undefined) };
  const [version] = coverage.versions;
  const { items } = version.present(await coverage.read(silent, {}, {}), { today: "2026-11-21" });
  expect(items).toMatchObject(records.map(() => ({ loaded: expected })));
});

it.each([
  ["none of a kind that no load has filled", undefined, { loaded: "none", sources: [] }],
  ["all of a whole edition", "psc-snapshot", { loaded: "all" }],
])("when a store takes too long, it answers %s", async (_what, edition, expected) => {
  const sources = [loaded("api-json-lines", { fills: ["charges"] }), ...(edition ? [loaded(edition)] : [])];
  const { records: reader } = createMemoryReader({}, sources);
  const silent = { ...reader, fetchPage: () => new Promise<never>(() => undefined) };
  const items = await coverage.read(silent, {}, {});
  const told = (kind: string) => (items as { record: string }[]).find(({ record }) => record === kind);
  expect(told("exemptions")).toMatchObject(expected);
  expect(told("charge")).toMatchObject({ loaded: "some" });
});

it("lists no loose source of a whole edition without records of the kind", async () => {
  const { records: reader } = createMemoryReader({}, [loaded("api-json-lines"), loaded("psc-snapshot")]);
  const items = await coverage.read(reader, {}, {});
  const exemptions = (items as { record: string }[]).find(({ record }) => record === "exemptions");
  expect(exemptions).toMatchObject({ loaded: "all", sources: [{ source: "psc-snapshot" }] });
});
