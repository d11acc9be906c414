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

it("the tables of sources name only kinds of record that exist", () => {
  const names = records.map(({ name }) => name);
  const kinds = [WHOLE_SOURCES, UPDATING_SOURCES].flatMap((table) => Object.values(table).flat());
  expect(names).toEqual(expect.arrayContaining(kinds));
});

it("the table of indices has the kind of each index, as in its definition", () => {
  const kinds = Object.entries(INDEX_KINDS).map(([name, { record }]) => [name, record]);
  expect(kinds).toEqual(indices.map(({ name, record }) => [name, record.name]));
});

describe("coverage for a company", () => {
  const ask = (stored: LoadedSource[], companyNumber?: string, kind = OFFICERS, hasRecords = false) =>
    coverageOfCompany(stored, { kind, companyNumber }, hasRecords);
  const none = { loaded: false, as_of: null };
  const all = { loaded: true, as_of: "2026-11-01" };

  it.each<[string, LoadedSource[], string | undefined, object]>([
    ["is none if nothing is loaded", [], "99000001", none],
    ["comes from the file of its region", [snapshot("ew")], "99000001", all],
    ["does not come from the file of another region", [snapshot("sc")], "99000001", none],
    ["of Scotland comes from the file of Scotland", [snapshot("sc")], "SC990001", all],
    ["from overseas, in Scotland, comes from the file of Scotland", [snapshot("sc")], "SF099001", all],
    ["of Northern Ireland comes from the file of Northern Ireland", [snapshot("ni")], "R0009901", all],
    ["comes from files without a region", [loaded("officers-snapshot")], "NI990001", all],
    [
      "does not come from a part of an edition",
      [loaded("officers-snapshot", { isWhole: false })],
      "99000001",
      none,
    ],
    [
      "does not come from files that leave out companies of its kind",
      [loaded("officers-snapshot")],
      "CE099001",
      none,
    ],
    ["does not come from updates alone", [loaded("officers-update")], "99000001", none],
    ["does not come from files of another kind of record", [loaded("psc-snapshot")], "99000001", none],
    ["does not come from loose lines", [loaded("api-json-lines")], "99000001", none],
    [
      "or for all companies comes from the files of all regions",
      ["ew", "sc", "ni"].map(snapshot),
      undefined,
      all,
    ],
    ["or for all companies does not come from two regions", ["ew", "sc"].map(snapshot), undefined, none],
  ])("%s", (_title, stored, number, expected) => {
    expect(ask(stored, number)).toEqual(expected);
  });

  it("comes from the company CSV for all but UK establishments, which it never has", () => {
    const csv = [loaded("company-csv")];
    expect(ask(csv, "FC099001", "company-profile")).toEqual(all);
    expect(ask(csv, "BR099001", "company-profile")).toEqual(none);
    expect(ask(csv, "BR099001", "company-profile", true)).toEqual({ loaded: true, as_of: null });
    expect(ask(csv, undefined, "company-profile")).toEqual(all);
  });

  it("has the day of the latest update", () => {
    const update = loaded("officers-update", { as_of: "2026-11-05" });
    expect(ask([snapshot("ew"), update], "99000001")).toEqual({ loaded: true, as_of: "2026-11-05" });
  });

  it("is there if records are stored, without a day if they came in loose lines", () => {
    expect(ask([loaded("api-json-lines")], "99000001", "charge", true)).toEqual({
      loaded: true,
      as_of: null,
    });
  });
});

describe("coverage of the register", () => {
  it.each<[string, LoadedSource[], string, boolean, object]>([
    [
      "is none if nothing is loaded",
      [],
      "charge",
      false,
      { loaded: "none", as_of: null, loaded_at: null, sources: [] },
    ],
    [
      "is none after loose lines if no record is stored",
      [loaded("api-json-lines")],
      "charge",
      false,
      { loaded: "none", sources: [] },
    ],
    [
      "is some after loose lines if records are stored",
      [loaded("streaming-events", { as_of: null })],
      "charge",
      true,
      { loaded: "some", as_of: null, loaded_at: ENDED, sources: [{ source: "streaming-events", loads: 1 }] },
    ],
    [
      "is all after an edition",
      [loaded("psc-snapshot")],
      "psc-statement",
      false,
      { loaded: "all", as_of: "2026-11-01" },
    ],
    [
      "is some after the file of one region",
      [snapshot("sc")],
      OFFICERS,
      true,
      { loaded: "some", sources: [{ scope: "sc" }] },
    ],
  ])("%s", (_title, stored, kind, hasRecords, expected) => {
    expect(coverageOfRegister(stored, kind, hasRecords)).toMatchObject(expected);
  });
});

describe("GET /coverage", () => {
  const [version] = coverage.versions;

  /** The items of an answer without stored records; `isLate` if the store takes too long to look for them. */
  async function itemsAfter(sources: LoadedSource[], isLate = false): Promise<{ record: string }[]> {
    const { records: reader } = createMemoryReader({}, sources);
    const late = { ...reader, fetchPage: () => new Promise<never>(() => undefined) };
    const body = version.present(await coverage.read(isLate ? late : reader, {}, {}), {
      today: "2026-11-21",
    });
    expect(compileCheck(version.schema)(body)).toBeNull();
    return body.items as { record: string }[];
  }

  it("answers every kind in order", async () => {
    expect(await itemsAfter([loaded("company-csv")])).toMatchObject(
      records.map(({ name }) => ({ record: name, loaded: name === "company-profile" ? "all" : "none" })),
    );
  });

  it("lists no loose source for a kind of a whole edition that has no records", async () => {
    const items = await itemsAfter([loaded("api-json-lines"), loaded("psc-snapshot")]);
    expect(items.find(({ record }) => record === "exemptions")).toMatchObject({
      loaded: "all",
      sources: [{ source: "psc-snapshot" }],
    });
  });

  it.each<[string, LoadedSource[]]>([
    ["none", []],
    ["some", [loaded("api-json-lines")]],
  ])(
    "answers %s for every kind if the store takes too long after the loads %j",
    async (expected, sources) => {
      expect(await itemsAfter(sources, true)).toMatchObject(records.map(() => ({ loaded: expected })));
    },
  );

  it.each([
    ["none for a kind that no load filled", undefined, { loaded: "none", sources: [] }],
    ["all for a kind of a whole edition", "psc-snapshot", { loaded: "all" }],
  ])("answers %s if the store takes too long", async (_what, edition, expected) => {
    const lines = loaded("api-json-lines", { fills: ["charges"] });
    const items = await itemsAfter([lines, ...(edition ? [loaded(edition)] : [])], true);
    const itemOf = (kind: string) => items.find(({ record }) => record === kind);
    expect(itemOf("exemptions")).toMatchObject(expected);
    expect(itemOf("charge")).toMatchObject({ loaded: "some" });
  });
});
