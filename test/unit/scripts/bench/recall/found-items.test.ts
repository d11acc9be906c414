import { describe, expect, it } from "@jest/globals";
import { createRandom } from "../../../../../scripts/bench/random.ts";
import { isCompany, toCompanyTarget } from "../../../../../scripts/bench/recall/company-target.ts";
import type { Fact } from "../../../../../scripts/bench/recall/define-form.ts";
import { readItems } from "../../../../../scripts/bench/recall/found-item.ts";
import { isPerson, toPersonTarget } from "../../../../../scripts/bench/recall/person-target.ts";
import { suites } from "../../../../../scripts/bench/recall/suites.ts";
import { inCase, withSlips } from "../../../../../scripts/bench/recall/wording.ts";
import { disqualify, readPerson } from "../../../../../scripts/bench/search/people.ts";
import { compileCheck } from "../../../../../api/shared/schemas/validate.ts";
import { disqualifiedOfficerRecord } from "../../../../../api/resources/disqualified-officer/record.ts";
import type { StoredRecord } from "../../../../../api/shared/definitions/define-record.ts";

const company = {
  number: "01234567",
  name: "QUILLORY PRESS LIMITED",
  status: "active",
  created: undefined,
  sic: undefined,
  locality: "NORWICH",
  address: { locality: "NORWICH", postal_code: "NR1 4AB" },
};
const person = {
  id: "abc",
  forename: "HAROLD",
  otherForenames: "JAMES",
  surname: "NOMANBY",
  birth: "1970-03",
};
const item = (title: string, self: string, more: object = {}) => {
  const [read] = readItems({ items: [{ title, links: { self }, ...more }] });
  if (!read) throw new Error("nothing was read");
  return read;
};

describe("a company that was found", () => {
  const target = toCompanyTarget(company, "title");
  const namesake = item("Quillory Press Ltd", "/company/07654321", { address: { locality: "Norwich" } });

  it.each<[string, boolean, Fact[]]>([
    ["only the name", true, []],
    ["a town that both have", true, ["town"]],
    ["a postcode that only the target has", false, ["postcode"]],
    ["the number", false, ["number"]],
  ])("counts as the target if it is a namesake and the query states %s: %s", (_title, isTarget, facts) => {
    expect(isCompany(namesake, target, facts)).toBe(isTarget);
    expect(isCompany(item("RENAMED LTD", "/company/01234567"), target, facts)).toBe(true);
  });

  it("does not count as the target if number and name differ", () => {
    expect(isCompany(item("QUILLORY PRESSINGS LTD", "/company/07654321"), target, [])).toBe(false);
  });
});

describe("a person who was found", () => {
  const target = toPersonTarget(person, "upper");
  const namesake = item("Dr Harold James NOMANBY", "/officers/xyz/appointments", {
    date_of_birth: { month: 9, year: 1970 },
  });

  it.each<[string, boolean, Fact[]]>([
    ["only the name", true, []],
    ["the year of birth, which both have", true, ["birth-year"]],
    ["the month of birth, which differs", false, ["birth-month"]],
  ])("counts as the target if it is a namesake and the query states %s: %s", (_title, isTarget, facts) => {
    expect(isPerson(namesake, target, facts)).toBe(isTarget);
    expect(isPerson(item("Harry NOMANBY", "/officers/abc/appointments"), target, facts)).toBe(true);
  });

  it("counts as the target if another of the person's names is the same in full", () => {
    const renamed = item("Harold QUIL", "/officers/xyz/appointments", { snippet: "Harold James Nomanby" });
    expect(isPerson(renamed, target, [])).toBe(true);
    expect(isPerson(item("Harold NOMANBY", "/officers/xyz/appointments"), target, [])).toBe(false);
  });
});

describe("a query", () => {
  const suite = suites.find(({ name }) => name === "officers");
  const sample = { companies: [company], dissolved: [], persons: [], people: { officers: [person] } };
  const draw = (form: string) => {
    const random = createRandom(1);
    return suite?.forms.find(({ name }) => name === form)?.draw(sample, random);
  };

  it.each([
    ["person, initials run together", "Henry Jack NOMANBY", true],
    ["person, initials run together", "Henry NOMANBY", false],
    ["person, initials run together", "Henry Jack NOMAD", false],
    ["person, missing middle names", "Harold NOMANBY", true],
    ["person, missing middle names", "Henry NOMANBY", false],
    ["person, full name", "Harold NOMANBY", false],
  ])("of the form %s accepts %s as found: %s", (form, title, isAccepted) => {
    expect(draw(form)?.isTarget(item(title, "/officers/xyz/appointments"))).toBe(isAccepted);
  });

  it("longer than a search accepts is not sent", () => {
    const long = { ...company, name: `${"QUILLORY ".repeat(18)}LIMITED` };
    const [exact] = suites.find(({ name }) => name === "companies")?.forms ?? [];
    expect(exact?.draw({ ...sample, companies: [long] }, createRandom(1))).toBeUndefined();
  });
});

it("gives each form of a search its own name", () => {
  for (const { forms } of suites) {
    const names = forms.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  }
});

it("makes slips in as many long words as asked, never in the first letter", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const words = withSlips("old harbour lanterns ltd", createRandom(seed), 2)?.split(" ") ?? [];
    expect(words.join(" ")).toMatch(/^old h\w{5,7} l\w{6,8} ltd$/);
    expect(words[1]).not.toBe("harbour");
    expect(words[2]).not.toBe("lanterns");
  }
  expect(withSlips("old harbour ltd", createRandom(1), 2)).toBeUndefined();
});

it.each([
  ["upper", "ST. MARY'S & O'BRIEN (UK) LTD"],
  ["lower", "st. mary's & o'brien (uk) ltd"],
  ["title", "St. Mary's & O'brien (Uk) Ltd"],
] as const)("writes in %s case", (style, written) => {
  expect(inCase("St. Mary's & O'Brien (UK) Ltd", style)).toBe(written);
});

it("makes a disqualified officer that the record's schema accepts", () => {
  const group = [
    { data: { name_elements: { forename: "HAROLD", other_forenames: "JAMES", surname: "NOMANBY" } } },
  ] as unknown as StoredRecord[];
  const shown = { date_of_birth: { month: 3, year: 1970 }, address: { locality: "NORWICH" } };
  const document = { id: "abc", shown };
  expect(readPerson(document, group)).toMatchObject({ ...person, address: shown.address });
  const record = disqualify(50, document, group);
  expect(compileCheck(disqualifiedOfficerRecord.schema)(record?.data)).toBeNull();
  expect(record?.data).toMatchObject({ date_of_birth: "1970-03-23", surname: "NOMANBY" });
  expect(disqualify(51, document, group)).toBeNull();
});
