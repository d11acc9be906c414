/** A company in several editions of the company CSV, and in other sources: the last edition counts. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import type { FullStatement } from "../../../ingest/statements/statement.ts";
import {
  anEvent,
  companyAfter,
  MORE,
  PLAIN,
  stateRow,
  STREET,
  type Fields,
} from "../../support/company-rows.ts";

function addressAfter(...statements: FullStatement[]): CompanyProfile["registered_office_address"] {
  return companyAfter(...statements)?.registered_office_address;
}

describe("the letter case of a name", () => {
  const named = (name: string) => (day: string) => stateRow(day, { CompanyName: name });
  const [wrong, right, capitals] = [
    named("Iphone Repairs Ltd"),
    named("iPhone Repairs Ltd"),
    named("IPHONE REPAIRS LTD"),
  ];

  it("is corrected by the next edition", () => {
    const [first, second] = [wrong("2026-10-01"), right("2026-11-01")];
    expect(companyAfter(first, second)?.company_name).toBe("iPhone Repairs Ltd");
    expect(companyAfter(second, first)?.company_name).toBe("iPhone Repairs Ltd");
    const inPart = stateRow("2026-10-01", { CompanyName: "Iphone Repairs Ltd" }, /CareOf/);
    expect(companyAfter(inPart, second)?.company_name).toBe("iPhone Repairs Ltd");
  });

  it("stays that of an event when editions have it in capitals", () => {
    const { data, ...event } = anEvent("2026-10-15", 1, STREET);
    const spelt = { ...event, data: { ...data, company_name: "iPhone Repairs Ltd" } };
    const around = [wrong("2026-10-01"), spelt, capitals("2026-11-01"), capitals("2026-12-01")];
    expect(companyAfter(...around)?.company_name).toBe("iPhone Repairs Ltd");
    expect(companyAfter(...around.toReversed())?.company_name).toBe("iPhone Repairs Ltd");
  });
});

describe("the day of the last full list of members", () => {
  const listed = (day: string, lastReturn: string) => stateRow(day, { "Returns.LastMadeUpDate": lastReturn });
  const [first, second] = [listed("2026-10-01", "01/02/2015"), listed("2026-11-01", "12/05/2016")];

  it("moves on with the edition, in whatever order they come", () => {
    expect(companyAfter(first, second)?.last_full_members_list_date).toBe("2016-05-12");
    expect(companyAfter(second, first)?.last_full_members_list_date).toBe("2016-05-12");
  });

  it("stays that of an event, because the column only gives the day of the last return", () => {
    const { data, ...event } = anEvent("2026-10-15", 1, STREET);
    const stated = { ...event, data: { ...data, last_full_members_list_date: "2014-05-12" } };
    for (const statements of [
      [first, stated, second],
      [second, stated, first],
      [stated, first, second],
    ])
      expect(companyAfter(...statements)?.last_full_members_list_date).toBe("2014-05-12");
  });
});

describe("lines of an address that the next edition leaves out are removed", () => {
  const [former, next] = [stateRow("2026-10-01", MORE), stateRow("2026-11-01", PLAIN)];

  it("beside an event, whose premises stay separate", () => {
    expect(addressAfter(anEvent("2026-09-01", 1, STREET), former)).toEqual({
      ...STREET,
      care_of: "J SMITH",
      address_line_2: "OLD TOWN",
    });
    expect(addressAfter(anEvent("2026-09-01", 1, STREET), former, next)).toEqual(STREET);
  });

  it("from an address in lower case, too", () => {
    const small = (fields: Fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text.toLowerCase()]));
    const rows = [stateRow("2026-10-01", small(MORE)), stateRow("2026-11-01", small(PLAIN))];
    expect(addressAfter(...rows)).toEqual({
      ...{ address_line_1: "1 high street", locality: "leeds", postal_code: "LS1 7ZZ" },
    });
  });

  it("also if the next edition has an unknown category", () => {
    const unknown = { CompanyCategory: "Brand New Category" };
    const guessed = stateRow("2026-11-01", { ...PLAIN, ...unknown });
    expect(addressAfter(anEvent("2026-09-01", 1, STREET), former, guessed)).toEqual(STREET);
  });
});

it("an edition without a column of the address leaves the lines of the one before, one with empty columns does not", () => {
  const former = stateRow("2026-10-01", MORE);
  const full = { ...STREET, care_of: "J SMITH", address_line_2: "OLD TOWN" };
  const event = anEvent("2026-09-01", 1, STREET);
  expect(addressAfter(event, former, stateRow("2026-11-01", PLAIN, /CareOf/))).toEqual(full);
  expect(addressAfter(event, former, stateRow("2026-11-01", {}))).toEqual(STREET);
});

it("editions and events give the same address in any order", () => {
  const fields = fc.constantFrom<Fields>(MORE, PLAIN, {}, { ...PLAIN, "RegAddress.PostTown": "YORK" });
  const lacking = fc.constantFrom(/^$/, /CareOf/);
  const editions = fc.array(fc.tuple(fields, lacking), { minLength: 1, maxLength: 4 });
  const anyOrder = fc.property(
    editions.chain((drawn) => {
      const rows = drawn.map(([given, left], at) => stateRow(`2026-1${at % 3}-0${at + 1}`, given, left));
      const late = anEvent("2026-10-15", 2, { ...STREET, region: "Kent" });
      return fc.tuple(
        fc.constant([...rows, late]),
        fc.shuffledSubarray([...rows, late], { minLength: rows.length + 1 }),
      );
    }),
    ([all, shuffled]) => {
      const ordered = all.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      // Starts with an event: of equal editions in a row without one, only the day of the first counts.
      const first = anEvent("2026-09-01", 1, STREET);
      expect(addressAfter(first, ...shuffled)).toEqual(addressAfter(first, ...ordered));
    },
  );
  fc.assert(anyOrder, { numRuns: 300 });
});
