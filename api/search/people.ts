/**
 * Owns the searches for people and bodies by name, officers, disqualified officers and persons with significant control, and
 * the filters beside the name.
 */
import type { SearchHit, SearchResult } from "../shared/definitions/search-result.ts";
import type { QueryValues, TextParameter } from "../shared/schemas/query-parameters.ts";
import { parseQueryNumber } from "../../index-mappings/names/company-name.ts";
import { pageSchema, type PageValues, presentPage, primaryParameters } from "./answers/page.ts";
import {
  disqualifiedOfficerItemSchema,
  officerItemSchema,
  presentDisqualifiedOfficer,
  presentOfficer,
  readingOf,
  readOfficerQuery,
  type OfficerQuery,
} from "./answers/officer.ts";
import { presentPscItem, pscItemSchema } from "./answers/person-with-significant-control.ts";
import { buildPage, type Clause, IN_FORCE, inAddress, prefix, term, within } from "./clauses.ts";
import { defineSearch, type Phases } from "./define-search.ts";
import { officerQuery } from "./ranking/person.ts";
import { anyReadability, checkedReadability } from "./ranking/person-readings.ts";
import disqualifiedOfficersExample from "./examples/search-disqualified-officers.json" with { type: "json" };
import officersExample from "./examples/search-officers.json" with { type: "json" };
import controlExample from "./examples/search-persons-with-significant-control.json" with { type: "json" };

const OFFICERS = "search#officers";
const DISQUALIFIED_OFFICERS = "search#disqualified-officers";
const PERSONS_WITH_SIGNIFICANT_CONTROL = "search#persons-with-significant-control";

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
const personFilters = { born: BORN, location: LOCATION };

/** The same for people of companies. */
const companyPersonFilters = { ...personFilters, company_number: COMPANY_NUMBER };

/** Of officers and of persons with significant control. */
const parameters = { ...primaryParameters, ...companyPersonFilters };

function phases(values: QueryValues<typeof parameters>): Phases {
  return {
    build: (phase) => buildPage(within(officerQuery(values.q, phase), filterPeople(values)), values),
    look: () => anyReadability(values.q),
  };
}

/** GET /search/officers: people and bodies with current or past appointments. */
export const searchOfficers = defineSearch({
  name: "search-officers",
  aliases: ["officer-search"],
  path: "/search/officers",
  summary: "Search officers by current or former name.",
  parameters,
  indices: ["officers"],
  phases,
  mapResponse: (result, values) => presentPeople(OFFICERS, result, values, presentOfficer),
  schema: pageSchema("officer-search", OFFICERS, officerItemSchema),
  example: officersExample,
  statuses: [416],
});

/** GET /search/disqualified-officers: disqualified people and bodies, those in force first among equals. */
export const searchDisqualifiedOfficers = defineSearch({
  name: "search-disqualified-officers",
  aliases: ["disqualified-officer-search"],
  path: "/search/disqualified-officers",
  summary: "Search disqualified officers by name.",
  parameters: { ...primaryParameters, ...personFilters },
  indices: ["disqualified-officers"],
  phases: (values) => ({
    build: (phase) => {
      const query = { bool: { must: [officerQuery(values.q, phase)], should: [IN_FORCE] } };
      return buildPage(within(query, filterPeople(values)), values);
    },
    look: () => checkedReadability(values.q),
  }),
  mapResponse: (result, values) =>
    presentPeople(DISQUALIFIED_OFFICERS, result, values, presentDisqualifiedOfficer),
  schema: pageSchema("disqualified-officer-search", DISQUALIFIED_OFFICERS, disqualifiedOfficerItemSchema),
  example: disqualifiedOfficersExample,
  statuses: [416],
});

/** GET /search/persons-with-significant-control: people and bodies with current or past control of a company. */
export const searchPersonsWithSignificantControl = defineSearch({
  name: "search-persons-with-significant-control",
  path: "/search/persons-with-significant-control",
  summary: "Search persons with significant control by name.",
  parameters,
  indices: ["persons-with-significant-control"],
  phases,
  mapResponse: (result, values) =>
    presentPeople(PERSONS_WITH_SIGNIFICANT_CONTROL, result, values, presentPscItem),
  schema: pageSchema(
    "person-with-significant-control-search",
    PERSONS_WITH_SIGNIFICANT_CONTROL,
    pscItemSchema,
  ),
  example: controlExample,
  statuses: [416],
});

/** The answer of such a search, whose items are made by `present`. */
function presentPeople(
  kind: string,
  result: SearchResult,
  values: PageValues,
  present: (hit: SearchHit, query: OfficerQuery) => Record<string, unknown>,
): Record<string, unknown> {
  const query = readOfficerQuery(values.q);
  return presentPage(kind, result, values, {
    present: (hit) => present(hit, query),
    reading: (hit) => readingOf(hit, query),
  });
}

/** The conditions on people beside the name; none when no parameter states one. */
export function filterPeople(values: Partial<QueryValues<typeof companyPersonFilters>>): Clause[] {
  const { born, location, company_number } = values;
  return [
    ...(born ? [bornIn(born)] : []),
    ...inAddress(location),
    ...(company_number ? [term("companies", company_number)] : []),
  ];
}

function bornIn(born: string): Clause {
  return born.length === YEAR_CHARACTERS ? prefix("born", `${born}-`) : term("born", born);
}
