/** Rows of one record have the same key, and rows of two records do not, so that only batches of one record wait. */
import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { idsOf, recordKeysOf, sortRows } from "../../../ingest/pipeline.ts";
import { findSource } from "../../../ingest/sources/index.ts";
import { aCompanyLine, anUpdateLine, aPersonLine } from "../../support/officer-lines.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const HEADER = "CompanyName,CompanyNumber,CompanyCategory,CompanyStatus";

it.each([
  ["company-csv", "companies/dissolved-extract.csv"],
  ["psc-snapshot", "psc/psc-snapshot-2026-11-01_1of2.txt"],
  ["api-json-lines", "api-shaped/filing-history.jsonl"],
])("rows of %s have as many keys as records", (name, file) => {
  const source = findSource(name);
  const lines = readFileSync(`${SAMPLE}/${file}`, "utf8")
    .split(/\r?\n/)
    .filter((text) => text !== "");
  const rows = lines.map((text, at) => ({ line: at + 1, text }));
  const [first = { line: 1, text: "" }] = rows;
  const context = source.open(first, file.split("/").at(-1) ?? "");
  const outcomes = source.mapRows(source.hasHeader ? rows.slice(1) : rows, context);
  const records = outcomes.flatMap((outcome) =>
    outcome.kind === "record" && !outcome.record.check(outcome.data) ? outcome : [],
  );
  expect(records.length).toBeGreaterThan(5);
  const ids = records.map(({ record, data }) => `${record.collection}/${record.identify(data)}`);
  const keys = records.map(({ row }) => source.recordKey?.(row.text, context));
  expect(keys).not.toContain(undefined);
  const pairs = new Set(ids.map((id, at) => `${id} ${keys[at]}`));
  expect([new Set(keys).size, pairs.size]).toEqual([new Set(ids).size, new Set(ids).size]);
});

it.each([
  ["a number without its zeros", ["A LTD,00006123,x,Active", '"A, B LTD"," 6123 ",x,Active']],
  ["a number in small letters", ["A LTD,SC123456,x,Active", "A LTD,sc123456,x,Active"]],
])("the key of a company is the same with %s", (_what, texts) => {
  const source = findSource("company-csv");
  const context = source.open({ line: 1, text: HEADER }, "BasicCompanyData-2026-11-01.csv");
  const keys = texts.map((text) => source.recordKey?.(text, context));
  expect(new Set(keys).size).toBe(1);
  expect(keys).not.toContain(undefined);
});

it.each([
  [
    "a person",
    '"links":{"self":"/company/00006400/x/AbC"}',
    '"links":{"self":"/company/00006400/x/Ab\\u0043\\n"}',
  ],
  ["exemptions", '"company_number":"00006400"', '"company_number":"6400\\u0020"'],
])("the key of %s is the same with escapes", (_what, plain, escaped) => {
  const { recordKey } = findSource("psc-snapshot");
  const keys = [plain, escaped].map((text) => recordKey?.(`{${text}}`, {}));
  expect(new Set(keys).size).toBe(1);
  expect(keys).not.toContain(undefined);
});

it("the key of a row with a control character is that of the row without", () => {
  const source = findSource("api-json-lines");
  const [text = ""] = readFileSync(`${SAMPLE}/api-shaped/charges.jsonl`, "utf8").split("\n");
  const noisy = text.replace("Sample Bank", "Sample\u0007Bank");
  expect(noisy).not.toBe(text);
  const [key, ...others] = recordKeysOf(source, {
    rows: [text, noisy].map((row, at) => ({ line: at + 1, text: row })),
    context: {},
  });
  expect(key).toContain("/");
  expect(others).toEqual([key]);
});

it("a row that is not a record may have a key or none, without an error", () => {
  for (const name of ["company-csv", "psc-snapshot", "api-json-lines"])
    for (const text of ["", "{", '"', '{"resource_kind":"x"}', '{"data":null}'])
      expect(() => findSource(name).recordKey?.(text, {})).not.toThrow();
});

it("a batch of daily updates names the records that it may change, so that none is missed if it is interrupted", () => {
  const officer = { company: "99000501", number: "100000010001" };
  const namedBy = (name: string, header: string, lines: string[]) => {
    const source = findSource(name);
    const rows = lines.map((text, at) => ({ line: at + 2, text }));
    const context = source.open({ line: 1, text: header }, "officers.dat");
    return idsOf(sortRows(source, { load: "l", file: "f", source: name, context, revision: 1, rows }));
  };
  const lines = [aCompanyLine(officer.company, "SAMPLE LTD"), aPersonLine(officer)];
  const { appointments: stored = [] } = namedBy("officers-snapshot", "DDDDSNAP432120261101", lines);
  expect(stored).toHaveLength(1);
  const update = anUpdateLine({ ...officer, newType: "03", resigned: "20261101" });
  const { appointments } = namedBy("officers-update", "DDDDUPDT432220261102", [update]);
  expect(appointments).toEqual(expect.arrayContaining(stored));
});
