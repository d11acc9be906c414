/** Owns filters beside a name: birth, place and company as parameters. Pure. */
import { parseQueryNumber } from "../../../index-mappings/names/query-number.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import type { QueryValues, TextParameter } from "../../shared/schemas/query-parameters.ts";
import { allWords, type Clause, prefix, term } from "../clauses.ts";

const BIRTH = "^[1-9]\\d{3}(-(0[1-9]|1[0-2]))?$";
const BIRTH_FORM = new RegExp(BIRTH);
const YEAR_CHARACTERS = "YYYY".length;
// Limit: longer than any address of the register; a number may be typed with spaces and signs around it.
const LOCATION_CHARACTERS = 160;
const NUMBER_CHARACTERS = 20;

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
  const words = wordsOf(text);
  return words.length > 0 ? [allWords("address", words)] : [];
}

function bornIn(born: string): Clause {
  return born.length === YEAR_CHARACTERS ? prefix("born", `${born}-`) : term("born", born);
}
