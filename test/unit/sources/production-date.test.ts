import { describe, expect, it } from "@jest/globals";
import { readEdition } from "../../../ingest/sources/frame.ts";
import { findSource } from "../../../ingest/sources/index.ts";

const CSV_HEADER = "CompanyName, CompanyNumber,CompanyCategory,CompanyStatus";

describe("the day of a snapshot", () => {
  it.each([
    ["BasicCompanyData-2026-11-01-part1_7.csv", "2026-11-01"],
    ["BasicCompanyDataAsOneFile-2026-11-01.csv", "2026-11-01"],
    ["persons-with-significant-control-snapshot-2026-11-01.txt", "2026-11-01"],
    ["psc-snapshot-2026-11-01_1of31.txt", "2026-11-01"],
    ["BasicCompanyData-2026-13-01.csv", undefined],
    ["BasicCompanyData-12026-11-011.csv", undefined],
    ["companies.csv", undefined],
  ])("in the name %s is %s", (name, day) => {
    expect(readEdition(name).productionDate).toBe(day);
  });

  it.each([
    ["company-csv", CSV_HEADER, "BasicCompanyData-2026-11-01-part1_7.csv"],
    ["psc-snapshot", '{"company_number":"1","data":{}}', "psc-snapshot-2026-11-01_1of2.txt"],
  ])("of %s is in the context of its batches", (name, text, fileName) => {
    expect(findSource(name).open({ line: 1, text }, fileName)).toMatchObject({
      productionDate: "2026-11-01",
    });
  });
});
