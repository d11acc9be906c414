/** /coverage and coverage headers tell "not loaded" from "none", in a register of which only a part is loaded. */
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { openSearchCoverage } from "../../api/http/answers.ts";
import type { AppContext } from "../../api/http/request-context.ts";
import { coverageOfRegister, openLoadedSources } from "../../api/shared/stores/collections/loaded-sources.ts";
import { COMPANIES, load, PARTS, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { basic, openRegister, TEST_KEY, type TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";

// Only Scotland of the officers; only the first of two files of the persons with significant control.
const FILES = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "officers/Prod195_4321_sc_1_01112026010001.dat",
  "psc/psc-snapshot-2026-11-01_1of2.txt",
  "api-shaped/charges.jsonl",
];
const DAY = "2026-11-01";
// An individual in the first file.
const PERSONS = "/company/SC990002/persons-with-significant-control";
const PERSON = "kRWvAk2X7eMb6u1UDd5ZkmXKVDY";
const DIRECTORS = "officers?register_view=true&register_type=directors";

interface Kind {
  record: string;
  loaded: string;
  as_of: string | null;
  sources: { source: string; scope?: string }[];
}

let empty: TestRegister;
let partial: TestRegister;
beforeAll(async () => {
  [empty, partial] = await Promise.all([openRegister(), openRegister()]);
  const { error, exitCode } = await partial.load(...FILES);
  expect([error, exitCode]).toEqual([undefined, 0]);
});
afterAll(() => Promise.all([empty.close(), partial.close()]));

async function fetchKinds(register: TestRegister): Promise<Kind[]> {
  const { status, body } = await register.get("/coverage");
  expect(status).toBe(200);
  return (body as { items: Kind[] }).items;
}

async function ask(path: string) {
  const { status, headers, body } = await partial.get(path);
  const { coverage } = body as { coverage?: { loaded: boolean; as_of: string | null } };
  return { status, header: headers.get("x-register-coverage"), coverage };
}

/** A zip of one uncompressed member. */
function zipOf(member: string, bytes: Buffer): Buffer {
  const name = Buffer.from(member);
  // Both headers contain these: version, flags, method, time, day, checksum, sizes, name length, no extra field.
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt32LE(crc32(bytes), 10);
  about.writeUInt32LE(bytes.length, 14);
  about.writeUInt32LE(bytes.length, 18);
  about.writeUInt16LE(name.length, 22);
  const file = Buffer.concat([Buffer.from("PK\u0003\u0004"), about, name, bytes]);
  const entry = Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), about, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(file.length, 16);
  return Buffer.concat([file, entry, end]);
}

describe("/coverage", () => {
  it("reports nothing as loaded before the first load", async () => {
    const kinds = await fetchKinds(empty);
    expect(kinds.length).toBeGreaterThan(10);
    for (const kind of kinds) {
      expect(kind).toMatchObject({ loaded: "none", as_of: null, loaded_at: null, sources: [] });
    }
  });

  it("reports for each kind whether it is loaded, from which sources and as of which day", async () => {
    const kinds = new Map((await fetchKinds(partial)).map((kind) => [kind.record, kind]));
    expect(kinds.get("company-profile")).toMatchObject({
      loaded: "all",
      as_of: DAY,
      sources: [
        { source: "company-csv", loads: 1, as_of: DAY },
        { source: "api-json-lines", loads: 1, as_of: null },
      ],
    });
    expect(kinds.get("officer-appointment")).toMatchObject({
      loaded: "some",
      sources: [{ scope: "sc" }, {}],
    });
    expect(kinds.get("person-with-significant-control")).toMatchObject({ loaded: "some", as_of: DAY });
    expect(kinds.get("charge")).toMatchObject({
      loaded: "some",
      as_of: null,
      sources: [{ source: "api-json-lines" }],
    });
    expect(kinds.get("disqualified-officer")).toMatchObject({ loaded: "none", sources: [] });
  });

  it("is refused without a key", async () => {
    expect((await fetch(`${partial.base}/coverage`)).status).toBe(401);
  });

  it("reports later loads, even in the first answer after a pause", async () => {
    const before = await fetchKinds(empty);
    expect(before.flatMap(({ sources }) => sources)).toEqual([]);
    const finished_at = "2026-11-21T06:12:00.000Z";
    const surveyed = [{ source: "company-csv", production_date: DAY }];
    await empty.stores.mongo.documents.put("loads", {
      _id: "later",
      state: "succeeded",
      finished_at,
      surveyed,
    });
    const now = jest.spyOn(Date, "now").mockReturnValue(Date.now() + 10_000);
    const after = await fetchKinds(empty).finally(() => now.mockRestore());
    await empty.stores.mongo.documents.remove("loads", "later");
    expect(after.flatMap(({ sources }) => sources)).toMatchObject([{ source: "company-csv" }]);
  });

  describe("after a load of one part of an edition", () => {
    const folder = makeOwnFolder();
    const newRegister = registersPerTest();
    const rows = readFileSync(join(SAMPLE, "psc/psc-snapshot-2026-11-01_1of2.txt"));
    it.each([
      ["a zip of another name", "today.zip", zipOf(`psc-snapshot-${DAY}_1of31.txt`, rows)],
      ["a file without an extension", `psc-snapshot-${DAY}_1of31`, rows],
    ])("reports that only a part is loaded, from %s", async (_what, name, bytes) => {
      const register = await newRegister();
      expect(await load(register, [writeFile(folder, name, bytes)])).toMatchObject({ exitCode: 0 });
      const read = openLoadedSources(register.stores.mongo.documents, Date.now);
      expect(await read()).toMatchObject([{ source: "psc-snapshot", isWhole: false, as_of: DAY }]);
    });
  });

  describe("after a load of an extract", () => {
    const folder = makeOwnFolder();
    const newRegister = registersPerTest();
    // The API's own reader would cache the loads for ten seconds.
    const companiesOf = async ({ stores }: TestRegister) => {
      const read = openLoadedSources(stores.mongo.documents, Date.now);
      return coverageOfRegister(await read(), "company-profile", true);
    };
    const few = (_row: string, index: number) => index < 5;

    it("reports that only a part is loaded, for a name that no publisher uses and for a truncated file", async () => {
      const register = await newRegister();
      const extract = writeEdition(folder, "extract-2026-12-01.csv", few);
      expect(await load(register, [extract])).toMatchObject({ exitCode: 0 });
      const [cut = ""] = PARTS;
      const truncated = join(folder, "BasicCompanyData-2026-12-01.csv");
      writeFileSync(truncated, readFileSync(cut).subarray(0, -20));
      expect(await load(register, [truncated])).toMatchObject({ exitCode: 2 });
      expect(await companiesOf(register)).toMatchObject({ loaded: "some", as_of: "2026-12-01" });
    });

    it("still reports the former edition as loaded whole, until --complete says that the small file is whole", async () => {
      const register = await newRegister();
      await load(register, [COMPANIES]);
      const small = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-12-01.csv", few);
      const forced = await load(register, [small], { force: "true" });
      expect(forced.messages.join("\n")).toMatch(/has 5 rows, only 2\.5 % .*: it is loaded as an extract/);
      expect(await companiesOf(register)).toMatchObject({
        loaded: "all",
        as_of: DAY,
        sources: [{ source: "company-csv", loads: 2, as_of: DAY }],
      });
      const whole = await load(register, [small], { force: "true", complete: "true" });
      expect(whole).toMatchObject({ exitCode: 0 });
      expect(await companiesOf(register)).toMatchObject({
        loaded: "all",
        as_of: "2026-12-01",
      });
    });
  });
});

describe("a list of a company", () => {
  it.each([
    ["of a region that was loaded", "/company/SC990002/officers", true, DAY, "officer-appointment"],
    ["of a region that was not", "/company/99000064/officers", false, null, "officer-appointment"],
    ["that has records", "/company/99000064/charges", true, null, "charge"],
    ["of which no record was loaded", "/company/99000001/charges", false, null, "charge"],
    ["of a kind never loaded", "/company/99000064/filing-history", false, null, "filing-history-item"],
  ])("%s is reported as loaded or not", async (_what, path, isLoaded, day, kind) => {
    expect(await ask(path)).toEqual({
      status: 200,
      header: `${kind}; loaded=${isLoaded ? "yes" : "no"}${day ? `; as-of=${day}` : ""}`,
      coverage: { loaded: isLoaded, as_of: day },
    });
  });

  it("is reported as loaded for companies in the loaded part of an edition, and for no others", async () => {
    const answers = await Promise.all(
      ["99000001", "99000002", "99000003", "99000051", "99000053", "99000064"].map(async (number) => {
        const { body } = await partial.get(`/company/${number}/persons-with-significant-control`);
        return body as { total_results: number; coverage: { loaded: boolean } };
      }),
    );
    expect(new Set(answers.map(({ total_results }) => total_results > 0)).size).toBe(2);
    for (const { total_results, coverage } of answers) expect(coverage.loaded).toBe(total_results > 0);
  });
});

describe("a 404", () => {
  it.each([
    ["/company/99000064/insolvency", "insolvency; loaded=no"],
    ["/company/99000064/registers", "registers; loaded=no"],
    ["/company/99000064/charges/none-such", "charge; loaded=yes"],
    ["/company/99000001/charges/none-such", "charge; loaded=no"],
    [`${PERSONS}?register_view=true`, `person-with-significant-control; loaded=yes; as-of=${DAY}`],
    [`${PERSONS}/corporate-entity/${PERSON}`, `person-with-significant-control; loaded=yes; as-of=${DAY}`],
    [`/company/SC990002/${DIRECTORS}`, `officer-appointment; loaded=yes; as-of=${DAY}`],
    [`/company/99000064/${DIRECTORS}`, "officer-appointment; loaded=no"],
    ["/disqualified-officers/natural/none-such", "disqualified-officer; loaded=no"],
    ["/company/99999999", `company-profile; loaded=yes; as-of=${DAY}`],
    ["/company/86", `company-profile; loaded=yes; as-of=${DAY}`],
  ])("%s tells whether that kind is loaded", async (path, header) => {
    expect(await ask(path)).toMatchObject({ status: 404, header });
  });
});

describe("a search", () => {
  it.each([
    ["/search/disqualified-officers?q=nobody", "disqualified-officer; loaded=some"],
    ["/search/companies?q=sample", `company-profile; loaded=all; as-of=${DAY}`],
    ["/search/officers?q=nobody", `officer-appointment; loaded=some; as-of=${DAY}`],
    ["/advanced-search/companies.csv?company_status=open", `company-profile; loaded=all; as-of=${DAY}`],
  ])("%s tells whether its whole kind is loaded", async (path, header) => {
    const response = await fetch(partial.base + path, { headers: { api_key: TEST_KEY } });
    expect([response.status, response.headers.get("x-register-coverage")]).toEqual([200, header]);
  });

  it("answers without coverage while MongoDB is unavailable", async () => {
    const away = () => Promise.reject(new Error("away"));
    const set = jest.fn();
    // The cast: the function uses nothing else of the context.
    await openSearchCoverage({ fetchLoadedSourcesOrLast: away })({ set } as unknown as AppContext, [
      "companies",
    ]);
    expect(set).not.toHaveBeenCalled();
  });
});

it("a 304 for a list carries the same coverage as the list", async () => {
  const path = "/company/SC990002/officers";
  const { headers } = await partial.get(path);
  const again = await partial.get(path, {
    ...basic(TEST_KEY),
    "if-none-match": headers.get("etag") ?? "",
  });
  expect(again.status).toBe(304);
  expect(again.headers.get("x-register-coverage")).toBe(headers.get("x-register-coverage"));
});
