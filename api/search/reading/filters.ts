/** Owns filters beside a name, as parameters and as conditions: of people, and of companies. Pure. */
import { parseQueryNumber } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import type { QueryValues, TextParameter } from "../../shared/schemas/query-parameters.ts";
import { allWords, type Clause, prefix, term } from "../clauses.ts";

// Limit: a longer query is refused with 400; the longest name of the register has 160 characters.
export const QUERY_CHARACTERS = 160;
const POSTCODE = /^(GIR|[A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/;
const BIRTH = "^[1-9]\\d{3}(-(0[1-9]|1[0-2]))?$";
const BIRTH_FORM = new RegExp(BIRTH);
const YEAR_CHARACTERS = "YYYY".length;
// Limit: longer than any address of the register; a number may be typed with spaces and signs around it.
const LOCATION_CHARACTERS = 160;
const NUMBER_CHARACTERS = 20;
// Compat: the original accepts only the two documented subtypes.
const SUBTYPES = ["community-interest-company", "private-fund-limited-partnership"];

/** A text to search for, at most as long as a name. */
export function queryText(description: string): TextParameter {
  return { kind: "text", description, maxLength: QUERY_CHARACTERS };
}

const BORN: TextParameter = {
  kind: "text",
  description:
    "Year, or year and month, of birth: `1962` or `1962-05`. People without a date of birth are left out.",
  maxLength: "YYYY-MM".length,
  pattern: BIRTH,
  settle: (text) => (BIRTH_FORM.test(text) ? text : null),
};

const LOCATION: TextParameter = {
  kind: "text",
  description: "Words that must all be in the person's addresses: a town, a street, a postcode.",
  maxLength: LOCATION_CHARACTERS,
};

const COMPANY_NUMBER: TextParameter = {
  kind: "text",
  description:
    "Number of a company that the person belongs to; upper or lower case, with or without leading zeros.",
  maxLength: NUMBER_CHARACTERS,
  settle: parseQueryNumber,
};

/** Not in the official API: what distinguishes people. */
export const personFilters = { born: BORN, location: LOCATION };

/** The same for people of companies. */
export const companyPersonFilters = { ...personFilters, company_number: COMPANY_NUMBER };

/** The conditions on people beside the name; none when no parameter states one. */
export function filterPeople(values: Partial<QueryValues<typeof companyPersonFilters>>): Clause[] {
  const { born, location, company_number } = values;
  return [
    ...(born ? [bornIn(born)] : []),
    ...inAddress(location),
    ...(company_number ? [term("companies", company_number)] : []),
  ];
}

/** An address that contains all words of the text; no condition when the text has none. */
export function inAddress(text: string | undefined): Clause[] {
  const words = wordsOf(text).flatMap(splitPostcode);
  return words.length > 0 ? [allWords("address", words)] : [];
}

/** `LS11ZZ` as the two words that it is in an address: a postcode may be typed without its space. */
function splitPostcode(word: string): string[] {
  return POSTCODE.exec(word)?.slice(1) ?? [word];
}

function bornIn(born: string): Clause {
  return born.length === YEAR_CHARACTERS ? prefix("born", `${born}-`) : term("born", born);
}

/** The filters of companies. */
export const filterParameters = {
  company_name_includes: queryText(
    "Words that must all be in the company's name, which includes the legal ending.",
  ),
  company_name_excludes: queryText("Words that must not be in the company's name."),
  company_status: {
    kind: "list",
    description: "Statuses of companies to find, in upper or lower case.",
    values: enumerationKeys("company_status"),
    ignoresCase: true,
  },
  company_type: {
    kind: "list",
    description: "Types of companies to find.",
    values: enumerationKeys("company_type"),
  },
  company_subtype: {
    kind: "list",
    description: "Subtypes of companies to find.",
    values: SUBTYPES,
  },
  sic_codes: { kind: "list", description: "SIC codes of companies to find." },
  incorporated_from: { kind: "date", description: "First day of creation, included." },
  incorporated_to: { kind: "date", description: "Last day of creation, included." },
  dissolved_from: { kind: "date", description: "First day of cessation, included." },
  dissolved_to: { kind: "date", description: "Last day of cessation, included." },
  location: queryText("Words that must all be in the registered office address."),
} as const;

/** The conditions beside the name, which the search by name takes, too. */
export function filterCompanies(
  values: Pick<
    QueryValues<typeof filterParameters>,
    "company_status" | "company_type" | "sic_codes" | "location"
  >,
): Clause[] {
  return [
    ...anyOf("status", values.company_status),
    ...anyOf("type", values.company_type),
    ...anyOf("sic", values.sic_codes),
    ...inAddress(values.location),
  ];
}

/** A field that equals one of the values; no condition without any. */
export function anyOf(field: string, values: string[]): Clause[] {
  return values.length > 0 ? [{ terms: { [field]: values } }] : [];
}
