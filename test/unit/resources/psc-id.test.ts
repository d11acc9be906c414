import { describe, expect, it } from "@jest/globals";
import { pscRecord, type Psc } from "../../../api/resources/person-with-significant-control/record.ts";

describe("the id that joins notifications of one person", () => {
  const idOf = (psc: Partial<Psc>) =>
    pscRecord.keysOf({
      notification_id: "a".repeat(27),
      company_number: "99000001",
      kind: "individual-person-with-significant-control",
      ...psc,
    }).psc_id;
  const born = { month: 5, year: 1983 };
  const elements = { title: "Mr", forename: "Barnaby", middle_name: "Sam", surname: "Quillfeather" };
  const barnaby = idOf({ name: "x", name_elements: elements, date_of_birth: born });

  it("is the same for an individual across companies, kinds, titles, letter case and spaces", () => {
    expect(barnaby).toMatch(/^[A-Za-z0-9_-]{27}$/);
    const samePerson = [
      { name_elements: { forename: "BARNABY", middle_name: "Sam", surname: "QUILLFEATHER" } },
      { name_elements: elements, company_number: "99000002", kind: "individual-beneficial-owner" },
      { name: "Dr. Barnaby  Sam Quillfeather" },
    ];
    for (const psc of samePerson) expect(idOf({ name: "x", date_of_birth: born, ...psc })).toBe(barnaby);
  });

  it("differs for people who differ in name or month of birth", () => {
    const others = [
      { name_elements: elements, date_of_birth: { month: 6, year: 1983 } },
      { name_elements: { ...elements, middle_name: "Tom" }, date_of_birth: born },
    ];
    for (const psc of others) expect(idOf({ name: "x", ...psc })).not.toBe(barnaby);
  });

  it("joins people without a birth date within one company only", () => {
    const unborn = { name: "Mr Barnaby Quillfeather" };
    expect(idOf(unborn)).toBe(idOf({ ...unborn, notification_id: "b".repeat(27) }));
    expect(idOf(unborn)).not.toBe(idOf({ ...unborn, company_number: "99000002" }));
  });

  const body = (name: string, identification?: Psc["identification"]) =>
    idOf({
      kind: "corporate-entity-person-with-significant-control",
      name,
      ...(identification ? { identification } : {}),
    });
  const british = body("LEADING ZEROS LIMITED", {
    country_registered: "England And Wales",
    place_registered: "Companies House",
    registration_number: "00099061",
  });
  const german = { country_registered: "Germany", registration_number: "HRB 99999" };

  it("is a body's registration, whatever its name and however its zeros are written", () => {
    expect(
      body("Leading Zeros Ltd", { place_registered: "Companies House", registration_number: "99061" }),
    ).toBe(british);
    expect(body("A GmbH", german)).toBe(body("B GmbH", { ...german, place_registered: "Amtsgericht" }));
    expect(body("A GmbH", german)).not.toBe(body("A GmbH", { ...german, country_registered: "Austria" }));
  });

  it.each<NonNullable<Psc["identification"]>>([
    { country_registered: "Gibraltar" },
    { country_registered: "Gibraltar", place_registered: "Companies House Gibraltar" },
    { place_registered: "Companies House, Gibraltar" },
    { place_registered: "New South Wales" },
    { country_registered: "Australia", place_registered: "England" },
    { country_registered: "United Kingdom Overseas Territory" },
  ])("is not that of a British company for its number abroad: %j", (place) => {
    expect(body("LEADING ZEROS LIMITED", { ...place, registration_number: "99061" })).not.toBe(british);
  });

  it("is made of a body's name if its register or its number is not known", () => {
    expect(body("A  GMBH")).toBe(
      body("a gmbh", { country_registered: "Germany", registration_number: "none" }),
    );
    expect(body("A GmbH")).toBe(body("A GmbH", { registration_number: "HRB 99999" }));
  });

  const registered = (place_registered: string, country_registered: string, registration_number: string) =>
    body("SAMPLE", {
      ...(place_registered && { place_registered }),
      ...(country_registered && { country_registered }),
      registration_number,
    });

  it.each([
    ["England And Wales", ""],
    ["", "England"],
    ["Companies House, Cardiff", "Wales"],
    ["Uk Companies House", "United Kingdom"],
    ["Company House", ""],
    ["England & Wales Company Registry", "England"],
    ["Register Of Companies (England And Wales)", ""],
    ["The Registrar Of Companies For England And Wales", "U.K."],
    ["United Kingdom (England And Wales)", "United Kingdom"],
    ["Edinburgh", "Scotland"],
    ["London", "Great Britain"],
    ["Companies Registry, Belfast", "N. Ireland"],
    ["Companies Act 2006", "England"],
    ["Companies House, Crown Way, Cardiff CF14 3UZ", "England"],
    ["N/A", "England"],
    ["English Companies Register", "England"],
    ["Scottish Register", "Scotland"],
    ["Register Of Companies Maintained By Companies House", "United Kingdom"],
    ["Companieshouse", "England"],
    ["Public Register", "United Kingdom"],
    ["UK Limited Company Register", "UK"],
  ])("is that of a company if %j, %j names its register", (place, country) => {
    expect(registered(place, country, "99061")).toBe(registered("Companies House", "", "00099061"));
  });

  it.each([
    ["OSCR, Scotland", ""],
    ["OSCR", "Scotland"],
    ["Scottish Charity Register", "Scotland"],
    ["FCA Mutuals Public Register", "England"],
    ["Charity Commission For England And Wales", ""],
    ["Charity Commission", "England And Wales"],
    ["Jersey, United Kingdom", ""],
    ["Isle Of Man, UK", ""],
    ["Jersey Financial Services Commission", "United Kingdom"],
    ["Registrar Of Companies, Ireland", ""],
    ["Registrar Of Companies", ""],
    ["Companies House", "Isle Of Man"],
  ])("is not that of a company if %j, %j may name another register", (place, country) => {
    for (const number of ["1089464", "SC012345"]) {
      const other = registered(place, country, number);
      expect(other).not.toBe(registered("Companies House", "United Kingdom", number));
      expect(other).not.toBe(registered("Guernsey Registry", "United Kingdom", number));
    }
  });

  it("does not exist for the super-secure kind", () => {
    expect(idOf({ kind: "super-secure-beneficial-owner" })).toBe("");
    expect(idOf({ kind: "super-secure-person-with-significant-control" })).toBe("");
  });
});
