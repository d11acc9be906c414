import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import type { Outcome } from "../../../ingest/sources/define-source.ts";
import type { Encoding } from "../../../ingest/readers/read-rows.ts";
import { companyCsv } from "../../../ingest/sources/company-csv.ts";
import { mapFixture, readFixture, recordsOf } from "../../support/map-file.ts";
import { SAMPLE } from "../../support/sample-register.ts";

interface Facts {
  files: Record<string, { expect?: Record<string, unknown> }>;
}

const facts = JSON.parse(readFileSync(`${SAMPLE}/facts.json`, "utf8")) as Facts;

const map = (file: string, encoding?: Encoding) => mapFixture(companyCsv, `companies/${file}`, encoding);
const read = (file: string) => readFixture(companyCsv, `companies/${file}`);

function countKinds(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = { record: 0, refused: 0, skipped: 0 };
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function expectationsOf(file: string): Record<string, unknown> {
  return facts.files[`companies/${file}`]?.expect ?? {};
}

describe("edge-case files", () => {
  it.each([
    "bom-and-blank-lines.csv",
    "no-final-newline-lf.csv",
    "truncated-last-line.csv",
    "excel-resaved.csv",
  ])("%s gives as many records and refusals as the facts say", async (name) => {
    const { loaded, rejected } = expectationsOf(`edge-cases/${name}`);
    expect(countKinds(await map(`edge-cases/${name}`))).toMatchObject({
      record: loaded,
      refused: rejected,
    });
  });

  it("latin1.csv is read when its encoding is given", async () => {
    const names = recordsOf<CompanyProfile>(await map("edge-cases/latin1.csv", "latin1")).map(
      (company) => company.company_name,
    );
    expect(names).toEqual([
      "CAFÉ FICTIF LIMITED",
      "ÜNLÜ BEISPIEL (UK) LIMITED",
      "O'PLACEHOLDER'S BAKERY LTD",
    ]);
  });

  it("excel-resaved.csv gets its zeros back, and its exponent is refused", async () => {
    const results = await map("edge-cases/excel-resaved.csv");
    const { numbers } = expectationsOf("edge-cases/excel-resaved.csv");
    expect(recordsOf<CompanyProfile>(results).map((company) => company.company_number)).toEqual(numbers);
    expect(results.at(-1)).toMatchObject({
      kind: "refused",
      field: "company_number",
      reason: '"9.9E+07" is not a company number',
    });
    expect(recordsOf<CompanyProfile>(results)[0]?.date_of_creation).toBe("1908-08-08");
  });

  it("truncated-last-line.csv loses only its last row", async () => {
    const last = (await map("edge-cases/truncated-last-line.csv")).at(-1);
    expect(last).toMatchObject({ kind: "refused", reason: "a quoted field is not closed" });
  });

  it("duplicates.csv keeps every row in the order of the file", async () => {
    const duplicates = recordsOf<CompanyProfile>(await map("edge-cases/duplicates.csv"));
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

  it.each<[line: number, expected: object]>([
    [2, { kind: "refused", reason: "54 fields where the header has 55" }],
    [3, { kind: "refused", reason: "56 fields where the header has 55" }],
    [
      4,
      {
        kind: "record",
        data: { type: "other" },
        warnings: [
          'type left out: category "Quantum Company" is unknown; the company keeps its stored type, or is shown as other',
        ],
      },
    ],
    [5, { kind: "record", warnings: ['company_status left out: status "Asleep" is unknown'] }],
    [6, { kind: "record", data: { company_status: "liquidation" } }],
    [7, noDate],
    [8, noDate],
    [9, { kind: "record", data: { date_of_creation: "2015-03-12" } }],
    [10, { kind: "refused", field: "company_number", reason: "is missing" }],
    [11, { kind: "record", data: { company_number: "SC990099", jurisdiction: "scotland" } }],
    [12, { kind: "refused", field: "company_number", reason: '"990000001" is not a company number' }],
    [13, { kind: "refused", field: "company_name", reason: "is missing" }],
    [14, { kind: "record", warnings: ["has_charges left out: the count of mortgages is not a number"] }],
    [15, { kind: "record", data: { sic_codes: ["62012"] } }],
    [16, { kind: "record", warnings: ["date_of_creation left out: too far in the future"] }],
    [17, { kind: "skipped" }],
    [18, { kind: "record", data: { company_number: "99990017" } }],
  ])("line %d", async (line, expected) => {
    const results = await map("edge-cases/bad-rows.csv");
    expect(results.find((outcome) => outcome.row.line === line)).toMatchObject(expected);
  });

  it("leaves out what it could not read, and nothing else", async () => {
    const [header, ...rows] = await read("edge-cases/bad-rows.csv");
    const results = await map("edge-cases/bad-rows.csv");
    expect(header).toBeDefined();
    expect(results).toHaveLength(rows.length);
    for (const company of recordsOf<CompanyProfile>(results)) expect(companyRecord.check(company)).toBeNull();
    expect(recordsOf<CompanyProfile>(results)[1]).not.toHaveProperty("company_status");
    expect(recordsOf<CompanyProfile>(results).at(-3)).toHaveProperty("sic_codes");
  });
});

describe("the header", () => {
  const open = (text: string) => () => companyCsv.open({ line: 1, text }, "BasicCompanyData-2026-11-01.csv");

  it("is refused if a needed column is missing, and names it", async () => {
    const [header] = await read("edge-cases/header-changed.csv");
    const { source_refused: reason } = expectationsOf("edge-cases/header-changed.csv");
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
    const [header] = await read("edge-cases/not-csv.csv");
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
    expect(recordsOf<CompanyProfile>(results)).toEqual([
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
    expect(recordsOf<CompanyProfile>(companyCsv.mapRows([row], context))[0]?.company_name).toBe(
      "SAMPLE, LTD",
    );
  });

  it("is recognised by its columns, and files by their names", async () => {
    const [header] = await read("edge-cases/header-only.csv");
    expect(companyCsv.recognises(header?.text ?? "")).toBe(true);
    expect(companyCsv.recognises("DDDDSNAP432101112026")).toBe(false);
    expect(companyCsv.recognises('{"company_number":"99000001"}')).toBe(false);
    expect("BasicCompanyDataAsOneFile-2026-11-01").toMatch(companyCsv.fileNames);
    expect("BasicCompanyData-2026-11-01-part1_2.csv").toMatch(companyCsv.fileNames);
  });

  it("alone is not an edition", async () => {
    const results = await map("edge-cases/header-only.csv");
    const { source_refused: reason } = expectationsOf("edge-cases/header-only.csv");
    expect(results).toEqual([]);
    expect(() => companyCsv.close?.(undefined, 0, {}, {})).toThrow(String(reason));
    expect(() => companyCsv.close?.(undefined, 0, {}, {})).toThrow(SourceError);
    expect(() => companyCsv.close?.({ line: 2, text: "" }, 1, {}, {})).not.toThrow();
  });
});
