import { describe, expect, it } from "@jest/globals";
import { buildCompanyEntry, readName } from "../../../../../index-mappings/names/entries.ts";
import { RegisterNames } from "../../../../../scripts/bench/search/register-names.ts";

const names = new RegisterNames();
const companies = ["QUILLORY HARBOUR PRESS LIMITED", "TOLMARSH LTD", "12 MILL LANE RTM COMPANY LIMITED"];
for (const name of companies) {
  names.add("companies", { names: [buildCompanyEntry({ name, current: true }).entry] });
}
const parts = { forename: "HAROLD", other_forenames: "JAMES", surname: "NOMANBY" };
names.add("officers", { names: [readName({ name: "Harold", current: true }, parts)?.entry] });
names.add("officers", { names: [buildCompanyEntry({ name: "NORTHSPIRE LTD", current: true }).entry] });

describe("a company's name is not absent if the register has it or one near it", () => {
  it.each([
    ["with another ending", "Quillory Harbour Press PLC"],
    ["with other spaces", "Quillory Harbourpress"],
    ["with one letter wrong", "TOLMARCH LTD"],
    ["with two letters swapped and one left out", "TLOMARH"],
    ["with one word more", "TOLMARSH LANTERNS LTD"],
    ["with all its words but one", "QUILLORY PRESS BRASSWORK"],
    ["with all its words but one, one of them twice", "MILL LANE LANE 12 BRASSWORK"],
  ])("%s", (_title, name) => {
    expect(names.isAbsentCompany(name)).toBe(false);
  });
});

it.each(["QUILLORY BRASSWORK LANTERNS", "TOLMACHER", "TRMHSALO LTD", "NORTHSPIRE LTD"])(
  "a company's name is absent if the register has none near it: %s",
  (name) => {
    expect(names.isAbsentCompany(name)).toBe(true);
  },
);

it.each([
  ["Harold James Nomanby", false],
  ["Nomanby Harold James", false],
  ["Harold Jame Nomanby", false],
  ["Ada Nomanby", false],
  ["Ada Nomamby", false],
  ["Harold Quillfeather", true],
  ["James Harold", true],
])("%s is the name of nobody: %s", (name, isAbsent) => {
  expect(names.isAbsentPerson(name)).toBe(isAbsent);
});
