import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import type { Encoding } from "../../../ingest/readers/read-rows.ts";
import { companyCsv } from "../../../ingest/sources/company-csv.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { countKinds, dataOf, faultsOf, mapFile, readRowsOf } from "../../support/snapshot-files.ts";

interface Facts {
  files: Record<string, { expect?: Record<string, unknown> }>;
}

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;

/** These take the name of an edge case. */
const map = async (name: string, encoding?: Encoding) =>
  (await mapFile(companyCsv, `companies/edge-cases/${name}`, encoding)).outcomes;
const read = (name: string) => readRowsOf(`companies/edge-cases/${name}`, "utf-8", companyCsv.reader);
const expectationsOf = (name: string) => facts.files[`companies/edge-cases/${name}`]?.expect ?? {};

describe("edge-case files", () => {
  it.each([
    "bom-and-blank-lines.csv",
    "no-final-newline-lf.csv",
    "truncated-last-line.csv",
    "excel-resaved.csv",
  ])("%s gives as many records and refusals as the facts say", async (name) => {
    const { loaded, rejected } = expectationsOf(name);
    expect(countKinds(await map(name))).toMatchObject({
      record: loaded,
      refused: rejected,
    });
  });

  it("latin1.csv is read if its encoding is given", async () => {
    const names = dataOf<CompanyProfile>(await map("latin1.csv", "latin1")).map(
      (company) => company.company_name,
    );
    expect(names).toEqual([
      "CAFÉ FICTIF LIMITED",
      "ÜNLÜ BEISPIEL (UK) LIMITED",
      "O'PLACEHOLDER'S BAKERY LTD",
    ]);
  });

  it("excel-resaved.csv gets the zeros of its numbers and its days back; a number with an exponent is refused", async () => {
    const results = await map("excel-resaved.csv");
    const { numbers } = expectationsOf("excel-resaved.csv");
    expect(dataOf<CompanyProfile>(results).map((company) => company.company_number)).toEqual(numbers);
    expect(results.at(-1)).toMatchObject({
      kind: "refused",
      field: "company_number",
      reason: '"9.9E+07" is not a company number',
    });
    expect(dataOf<CompanyProfile>(results)[0]?.date_of_creation).toBe("1908-08-08");
  });

  it("truncated-last-line.csv loses only its last row", async () => {
    const last = (await map("truncated-last-line.csv")).at(-1);
    expect(last).toMatchObject({ kind: "refused", reason: "a quoted field is not closed" });
  });

  it("duplicates.csv keeps every row in the order of the file", async () => {
    const duplicates = dataOf<CompanyProfile>(await map("duplicates.csv"));
    expect(duplicates.map((company) => company.company_number)).toEqual([
      "99000003",
      "99000009",
      "99000003",
      "99000003",
      "99000009",
    ]);
    expect(duplicates[3]?.company_status).toBe("liquidation");
  });
});

describe("bad-rows.csv", () => {
  const noDate = { kind: "record", warnings: ["date_of_creation left out: not a valid date"] };

  it.each<[line: number, what: string, expected: object]>([
    [
      2,
      "a row with a field too few is refused",
      { kind: "refused", reason: "54 fields where the header has 55" },
    ],
    [
      3,
      "a row with a field too many is refused",
      { kind: "refused", reason: "56 fields where the header has 55" },
    ],
    [
      4,
      "an unknown category is stored as the type other",
      {
        kind: "record",
        data: { type: "other" },
        warnings: [
          'type left out: category "Quantum Company" is unknown; the company keeps its stored type, or is shown as other',
        ],
      },
    ],
    [
      5,
      "an unknown status is left out",
      { kind: "record", warnings: ['company_status left out: status "Asleep" is unknown'] },
    ],
    [6, "a status in capitals is read", { kind: "record", data: { company_status: "liquidation" } }],
    [7, "an impossible day is left out", noDate],
    [8, "a day of three digits is left out", noDate],
    [
      9,
      "a day in the form of ISO 8601 is read",
      { kind: "record", data: { date_of_creation: "2015-03-12" } },
    ],
    [
      10,
      "a row without a number is refused",
      { kind: "refused", field: "company_number", reason: "is missing" },
    ],
    [
      11,
      "a number in small letters between blanks is read",
      { kind: "record", data: { company_number: "SC990099", jurisdiction: "scotland" } },
    ],
    [
      12,
      "a number of nine digits is refused",
      { kind: "refused", field: "company_number", reason: '"990000001" is not a company number' },
    ],
    [13, "a row without a name is refused", { kind: "refused", field: "company_name", reason: "is missing" }],
    [
      14,
      "a word as the number of charges is left out",
      { kind: "record", warnings: ["has_charges left out: the count of mortgages is not a number"] },
    ],
    [15, "a SIC code without its text is read", { kind: "record", data: { sic_codes: ["62012"] } }],
    [
      16,
      "a day in the far future is left out",
      { kind: "record", warnings: ["date_of_creation left out: too far in the future"] },
    ],
    [17, "a row of empty fields is skipped", { kind: "skipped" }],
    [18, "a good row is read after the bad ones", { kind: "record", data: { company_number: "99990017" } }],
  ])("line %d: %s", async (line, _what, expected) => {
    const outcomes = await map("bad-rows.csv");
    expect(outcomes.find((outcome) => outcome.row.line === line)).toMatchObject(expected);
  });

  it("gives one outcome for each row, and records without the values that could not be read", async () => {
    const outcomes = await map("bad-rows.csv");
    expect(outcomes).toHaveLength((await read("bad-rows.csv")).length - 1);
    expect(faultsOf(outcomes)).toEqual([]);
    const companyOf = (number: string) =>
      dataOf<CompanyProfile>(outcomes).find(({ company_number }) => company_number === number);
    expect(companyOf("99990004")).not.toHaveProperty("company_status");
    expect(companyOf("99990006")).not.toHaveProperty("date_of_creation");
    expect(companyOf("99990013")).not.toHaveProperty("has_charges");
  });
});

describe("the header", () => {
  const open = (text: string) => () => companyCsv.open({ line: 1, text }, "BasicCompanyData-2026-11-01.csv");

  it("is refused with the name of a needed column that is missing", async () => {
    const [header] = await read("header-changed.csv");
    const { source_refused: reason } = expectationsOf("header-changed.csv");
    expect(open(header?.text ?? "")).toThrow(SourceError);
    expect(open(header?.text ?? "")).toThrow(String(reason));
  });

  it("is refused with the first missing and unknown columns, and a reference to the format", () => {
    const header = "CompanyName,Number,Category,Status,Street,Town,URI,CompanyStatus";
    expect(open(header)).toThrow(
      /^the header has no columns CompanyNumber, CompanyCategory, but the unknown columns "Number", "Category", "Status" and 2 more; see scripts\/docs\/loading\.md#formats$/,
    );
  });

  it("is refused if it is a web page", async () => {
    const [header] = await read("not-csv.csv");
    expect(open(header?.text ?? "")).toThrow(SourceError);
    expect(open(header?.text ?? "")).toThrow("an error page");
  });

  it.each(["", "a,b,c", '"99000001","SAMPLE LTD"'])("is refused if it is %p", (text) => {
    expect(open(text)).toThrow("expected the header of the company CSV");
  });

  it("may have columns moved, quoted or added, with a warning about new ones", () => {
    const header = '"NewColumn","CompanyStatus"," CompanyNumber","CompanyName","CompanyCategory","URI"';
    const row = { line: 2, text: '"new","Active","99061","SAMPLE LTD","Private Limited Company","x"' };
    const results = companyCsv.mapRows([row], open(header)());
    expect(results).toMatchObject([{ warnings: ['column "NewColumn" is unknown, left out'] }]);
    expect(dataOf<CompanyProfile>(results)).toEqual([
      {
        company_name: "SAMPLE LTD",
        company_number: "00099061",
        type: "ltd",
        company_status: "active",
        jurisdiction: "england-wales",
      },
    ]);
  });

  it.each(["|", ";", "\t"])("may be separated by %j, as its rows are", (separator) => {
    const header = ["CompanyName", "CompanyNumber", "CompanyCategory", "CompanyStatus"].join(separator);
    expect(companyCsv.recognises(header)).toBe(true);
    const context = open(header)();
    const fields = ['"SAMPLE, LTD"', "99061", "Private Limited Company", "Active"];
    const row = { line: 2, text: fields.join(separator) };
    expect(dataOf<CompanyProfile>(companyCsv.mapRows([row], context))[0]?.company_name).toBe("SAMPLE, LTD");
  });

  it("is recognised by its columns, and files by their names", async () => {
    const [header] = await read("header-only.csv");
    expect(companyCsv.recognises(header?.text ?? "")).toBe(true);
    expect(companyCsv.recognises("DDDDSNAP432101112026")).toBe(false);
    expect(companyCsv.recognises('{"company_number":"99000001"}')).toBe(false);
    expect("BasicCompanyDataAsOneFile-2026-11-01").toMatch(companyCsv.fileNames);
    expect("BasicCompanyData-2026-11-01-part1_2.csv").toMatch(companyCsv.fileNames);
  });

  it("is refused as an edition if no rows follow", async () => {
    const results = await map("header-only.csv");
    const { source_refused: reason } = expectationsOf("header-only.csv");
    expect(results).toEqual([]);
    expect(() => companyCsv.close?.(undefined, 0, {}, {})).toThrow(String(reason));
    expect(() => companyCsv.close?.(undefined, 0, {}, {})).toThrow(SourceError);
    expect(() => companyCsv.close?.({ line: 2, text: "" }, 1, {}, {})).not.toThrow();
  });
});
