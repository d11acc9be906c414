/** Values that an edition of the company CSV leaves empty: they are removed if only earlier editions stated them. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  anEvent,
  companyAfter,
  EMPTIED,
  FULL,
  MORE,
  PLAIN,
  stateRow,
  storedAfter,
  storedWith,
  STREET,
  type Fields,
} from "../../support/company-rows.ts";

describe("a value that the next edition leaves empty", () => {
  const [full, emptied] = [stateRow("2026-11-24", FULL), stateRow("2026-11-25", EMPTIED)];
  const alone = companyAfter(emptied);

  it("is removed, in whatever order they come, and leaves one statement", () => {
    expect(alone).not.toHaveProperty("accounts");
    for (const stated of [
      [full, emptied],
      [emptied, full],
      [full, emptied, full, emptied],
    ]) {
      expect(companyAfter(...stated)).toEqual(alone);
      expect(storedAfter(...stated)?.told).toEqual([{ at: "2026-11-25", tells: "company-csv" }]);
    }
  });

  it("is removed even if it is only a part of an object or of a list", () => {
    const inPart = { ...FULL, "Accounts.NextDueDate": "", "PreviousName_1.CompanyName": "" };
    const next = stateRow("2026-11-25", inPart);
    expect(companyAfter(full, next)).toEqual(companyAfter(next));
    expect(companyAfter(full, next)?.accounts).not.toHaveProperty("next_accounts");
  });

  it("is removed if it is a foreign country of origin that becomes the United Kingdom", () => {
    const foreign = stateRow("2026-11-24", { CompanyNumber: "FC990001", CountryOfOrigin: "GERMANY" });
    const next = stateRow("2026-11-25", { CompanyNumber: "FC990001", CountryOfOrigin: "United Kingdom" });
    expect(companyAfter(foreign, next)).toEqual(companyAfter(next));
  });

  it("stays if an event has stated it, even if an edition stated the same", () => {
    const data = { ...full.data, company_number: "99000001" };
    const event = { at: "2026-11-01T09:00:00.000Z", event: { uri: "/one", timepoint: 1 }, data };
    for (const stated of [
      [event, full, emptied],
      [full, emptied, event],
      [emptied, event, full],
    ]) {
      // The detail belongs to the status.
      const kept = without(data, "company_status_detail");
      expect(companyAfter(...stated)).toEqual({ ...kept, company_status: "liquidation" });
      expect(companyAfter(...stated)).toEqual(companyAfter(event, emptied));
    }
  });

  it.each([
    ["accounts", /^Accounts\.AccountCategory/],
    ["annual_return", /^Returns\.NextDueDate/],
    ["confirmation_statement", /^ConfStmtNextDueDate/],
    ["date_of_cessation", /^DissolutionDate/],
    ["date_of_creation", /^IncorporationDate/],
    ["has_charges", /^Mortgages\.NumMortCharges/],
    ["last_full_members_list_date", /^Returns\.LastMadeUpDate/],
    ["previous_company_names", /^PreviousName_9/],
    ["registered_office_address", /^RegAddress\.County/],
    ["sic_codes", /^SICCode/],
  ])("stays if the file lacks columns: %s", (member, lacking) => {
    const inPart = stateRow("2026-11-25", EMPTIED, lacking);
    for (const stated of [
      [full, inPart],
      [inPart, full],
    ]) {
      const company = companyAfter(...stated);
      expect(company).toHaveProperty(member, full.data[member]);
      const others = inPart.leaves?.map((name) => [name, full.data[name]]) ?? [];
      expect(company).toEqual({ ...alone, ...Object.fromEntries(others) });
    }
    expect(companyAfter(full, inPart, emptied)).toEqual(alone);
    expect(companyAfter(full, emptied, { ...inPart, at: "2026-11-26" })).toEqual(alone);
  });

  it("stays if the file has no column for the country of origin", () => {
    const foreign = stateRow("2026-11-24", { CompanyNumber: "FC990001", CountryOfOrigin: "GERMANY" });
    const next = stateRow("2026-11-25", { CompanyNumber: "FC990001" }, /CountryOfOrigin/);
    expect(companyAfter(foreign, next)).toHaveProperty("foreign_company_details");
  });

  it("stays removed when an older edition comes after one without its columns", () => {
    const [more, plain] = [stateRow("2026-11-23", MORE), stateRow("2026-11-24", PLAIN)];
    const inPart = stateRow("2026-11-25", PLAIN, /CareOf/);
    expect(companyAfter(plain, inPart, more)).toEqual(companyAfter(more, plain, inPart));
    expect(companyAfter(plain, inPart, more)).toEqual(companyAfter(plain));
  });

  it("does not change the type that an event has stated if the edition before still gives other members", () => {
    const interest = { CompanyCategory: "Community Interest Company" };
    const event = anEvent("2026-11-01", 1, STREET);
    const given = stateRow("2026-11-24", { ...FULL, ...interest });
    const inPart = stateRow("2026-11-25", interest, /SICCode/);
    expect(companyAfter(event, given, inPart)).toMatchObject({ type: "ltd", sic_codes: ["62012"] });
  });

  it("stays as the type if the next edition has an unknown category", () => {
    const unknown = stateRow("2026-11-25", { ...EMPTIED, CompanyCategory: "Brand New Category" });
    expect(companyAfter(full, unknown)).toEqual({ ...alone, type: "ltd" });
    expect(companyAfter(unknown, full)).toEqual({ ...alone, type: "ltd" });
  });

  it("is removed even if earlier releases stored it under other names", () => {
    const former = { ...full, tells: "company-csv-in-part" };
    expect(companyAfter(former, emptied)).toEqual(alone);
    expect(storedAfter(former, emptied)?.told).toHaveLength(1);
  });

  it("is removed if earlier releases kept it beside that edition, once the edition is loaded again", () => {
    const before = storedAfter(full, { ...emptied, leaves: Object.keys(full.data) });
    const statements = before?.told?.map((one) => without(one, "leaves")) ?? [];
    expect(statements).toHaveLength(2);
    expect(before).toHaveProperty("data.accounts");
    expect(storedWith(before && { ...before, told: statements }, emptied, 3)).toMatchObject({
      data: alone,
      told: [{ at: "2026-11-25", tells: "company-csv" }],
    });
  });

  it("stays if earlier releases kept it beside an edition without its columns, until it is given again", () => {
    const lacking = /^SICCode/;
    const inPart = stateRow("2026-11-25", PLAIN, lacking);
    const before = storedAfter(full, inPart);
    const statements = before?.told?.map((one) => without(one, "leaves")) ?? [];
    expect(statements).toHaveLength(2);
    const former = before && { ...before, told: statements };
    for (const day of ["2026-11-25", "2026-11-26"]) {
      const next = stateRow(day, { ...PLAIN, CompanyName: "OTHER LTD" }, lacking);
      const stored = storedWith(former, next, 3);
      expect(stored).toMatchObject({ data: { company_name: "OTHER LTD", sic_codes: ["62012"] } });
      expect(stored).not.toHaveProperty("data.accounts");
    }
    expect(storedWith(former, stateRow("2026-11-26", PLAIN), 3)).not.toHaveProperty("data.sic_codes");
  });
});

/** Rows with random fields in files with random columns, one for each day, and events between them. */
const drawnFields = fc
  .subarray(Object.keys(FULL).filter((name) => name !== "DissolutionDate"))
  .map((names): Fields => Object.fromEntries(names.map((name) => [name, FULL[name] ?? ""])));
const drawnLacking = fc.constantFrom(
  /^$/,
  /^$/,
  /^Accounts\.NextDue/,
  /^SICCode|IncorporationDate/,
  /CareOf/,
);
const drawnCategory = fc.constantFrom("Private Limited Company", "Public Limited Company", "Unheard of");
const drawnUnreadable = fc.constantFrom(
  "",
  "Accounts.NextDueDate",
  "ConfStmtNextDueDate",
  "Returns.LastMadeUpDate",
);
const drawnRow = fc.record({
  fields: drawnFields,
  lacking: drawnLacking,
  category: drawnCategory,
  unreadable: drawnUnreadable,
});
const drawnEditions = fc.array(drawnRow, { minLength: 2, maxLength: 5 }).map((rows) =>
  rows.map(({ fields, lacking, category, unreadable }, at) => {
    const shown = { CompanyCategory: category, CompanyStatus: fields.CompanyStatus ?? "Active" };
    const given = { ...fields, ...shown, ...(unreadable && { [unreadable]: "31/02/2027" }) };
    return stateRow(`2026-11-1${at}`, given, lacking);
  }),
);
/** Comes first: of equal editions in a row without an event, only the day of the first counts. */
const firstEvent = anEvent("2026-09-01", 1, STREET);

it("the newest edition decides alone if it has all columns, whatever was loaded before", () => {
  const isAlone = fc.property(drawnEditions, drawnFields, (editions, fields) => {
    const newest = stateRow("2026-11-30", fields);
    expect(companyAfter(...editions, newest)).toEqual(companyAfter(newest));
    expect(companyAfter(firstEvent, ...editions, newest)).toEqual(companyAfter(firstEvent, newest));
  });
  fc.assert(isAlone, { numRuns: 300 });
});

it("editions with any columns give the same company in any order", () => {
  const isSame = fc.property(
    drawnEditions.chain((editions) => {
      const all = [...editions, anEvent("2026-11-12", 2, { ...STREET, region: "Kent" })];
      const { length } = all;
      return fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...editions], { minLength: length }));
    }),
    ([all, shuffled]) => {
      const rest = all.filter((one) => !shuffled.includes(one));
      const ordered = all.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      expect(companyAfter(firstEvent, ...shuffled, ...rest)).toEqual(companyAfter(firstEvent, ...ordered));
    },
  );
  fc.assert(isSame, { numRuns: 300 });
});

function without<T extends object>(one: T, ...names: string[]): T {
  // The cast: only optional members are removed.
  return Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name))) as T;
}
