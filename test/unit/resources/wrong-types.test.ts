import { describe, expect, it } from "@jest/globals";
import { records } from "../../../api/resources/index.ts";
import type { Members } from "../../../api/shared/values/members.ts";
import { readSamples } from "../../support/incoming-samples.ts";

/** Loads the first sample of a file with some members changed. */
function load(file: string, change: (data: Members) => Members) {
  const [sample] = readSamples(file);
  const record = records.find(({ incoming }) => incoming?.kinds.includes(sample?.kind ?? ""));
  if (!sample || !record?.incoming) throw new Error(`no sample in ${file}`);
  const warnings: string[] = [];
  const data = record.incoming.normalise({ ...sample, data: change(sample.data) }, warnings) as Members;
  return { data, warnings, fault: record.check(data) };
}

const COMPANIES = "streams/companies.ndjson";
const CHARGES = "streams/charges.ndjson";
const DISQUALIFIED = "streams/disqualified-officers.ndjson";
const PERSONS = "streams/persons-with-significant-control.ndjson";
const STATEMENTS = "streams/persons-with-significant-control-statements.ndjson";

describe("a value of a wrong type does not make a record refused", () => {
  it.each<[string, string, unknown]>([
    [CHARGES, "created_on", true],
    [PERSONS, "notified_on", ["2016-04-06"]],
    [PERSONS, "notified_on", 20160406],
    [STATEMENTS, "notified_on", { day: 6 }],
  ])("of %s: %s, which is optional, is %j", (file, member, value) => {
    const { data, warnings, fault } = load(file, (given) => ({ ...given, [member]: value }));
    expect(fault).toBeNull();
    expect(data).not.toHaveProperty(member);
    expect(warnings).toEqual([`${member} left out: not a valid date`]);
  });

  it.each([CHARGES, DISQUALIFIED, "api-shaped/registers.jsonl", "api-shaped/uk-establishments.jsonl"])(
    "of %s: its links, which are not stored, are a text, a number or a list",
    (file) => {
      const plain = load(file, (given) => given);
      for (const links of ["/elsewhere", 5, ["/a", "/b"]]) {
        const { data, warnings } = load(file, (given) => ({ ...given, links }));
        expect(data).toEqual(plain.data);
        expect(warnings).toEqual(["links left out: not an object"]);
      }
    },
  );

  it.each<[string, unknown, string]>([
    ["company_status", ["active", "dissolved"], "company_status left out: not a text"],
    ["jurisdiction", { of: "wales" }, "jurisdiction left out: not a text"],
    ["has_been_liquidated", "perhaps", "has_been_liquidated left out: not true or false"],
    ["previous_company_names", [{ ceased_on: "2020-01-01" }], "previous_company_names left out: has no name"],
    ["corporate_annotation", ["a note"], "corporate_annotation left out: not an object"],
    ["links", 5, "links left out: not an object"],
  ])("of a company: its %s is %j", (member, value, warning) => {
    const { data, warnings, fault } = load(COMPANIES, (given) => ({ ...given, [member]: value }));
    expect(fault).toBeNull();
    expect(data).not.toHaveProperty(member === "jurisdiction" ? "jurisdiction.of" : member);
    expect(warnings).toEqual([warning]);
  });

  it.each([["1 High Street"], [5]])("of a disqualification: its address is %j", (address) => {
    const change = (given: Members) => {
      const items = given.disqualifications as Members[];
      return { ...given, disqualifications: items.map((item) => ({ ...item, address })) };
    };
    const { data, warnings, fault } = load(DISQUALIFIED, change);
    expect(fault).toBeNull();
    expect(data).toHaveProperty("disqualifications.0.address", {});
    expect(new Set(warnings)).toEqual(new Set(["disqualifications.address left out: not an object"]));
  });

  it("of a charge: its flags are TRUE and False", () => {
    const particulars = { type: "brief-description", floating_charge_covers_all: " TRUE" };
    const { data, warnings } = load(CHARGES, (given) => ({
      ...given,
      particulars: { ...particulars, contains_fixed_charge: "False" },
    }));
    // False flags are not stored.
    expect(data.particulars).toEqual({ ...particulars, floating_charge_covers_all: true });
    expect(warnings).toEqual([]);
  });

  it("of a charge: a list of an empty list stands in place of an object", () => {
    const { data, warnings, fault } = load(CHARGES, (given) => ({ ...given, secured_details: [[]] }));
    expect(fault).toBeNull();
    expect(data).not.toHaveProperty("secured_details");
    expect(warnings).toEqual([]);
  });
});

describe("an empty list or object", () => {
  it("in place of the day on which something ended refuses the record", () => {
    for (const file of [PERSONS, STATEMENTS])
      for (const ceased_on of [[], {}])
        expect(load(file, (given) => ({ ...given, ceased_on })).fault).toMatchObject({ field: "ceased_on" });
  });

  it("as natures of control stays a list, which every answer has", () => {
    const { data, warnings } = load(PERSONS, (given) => ({ ...given, natures_of_control: [] }));
    expect(data.natures_of_control).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
