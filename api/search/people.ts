/** The searches for officers, disqualified officers and persons with significant control, and their filters. */
import { INDEX_KINDS } from "../shared/definitions/define-index.ts";
import type { Phase, SearchResult } from "../shared/definitions/search-result.ts";
import type { QueryValues, TextParameter } from "../shared/schemas/query-parameters.ts";
import { parseQueryNumber } from "../../index-mappings/names/company-name.ts";
import { foldText } from "../../index-mappings/names/text.ts";
import { pageSchema, type PageValues, presentPage, primaryParameters } from "./answers/page.ts";
import { requiredQuery } from "./reading/query-text.ts";
import { peopleItems, type PeopleIndex, queryOf, readPeopleQuery } from "./answers/people.ts";
import { buildPage, type Clause, IN_FORCE, inAddress, prefix, term, within } from "./clauses.ts";
import { defineSearch, type Phases, type Readability } from "./define-search.ts";
import { companyPersonQuery, officerQuery, officerWords } from "./ranking/person.ts";
import { takeNumberAsked } from "./reading/facts.ts";
import { anyReadability, checkedReadability } from "./reading/readability.ts";
import disqualifiedOfficersExample from "./examples/search-disqualified-officers.json" with { type: "json" };
import officersExample from "./examples/search-officers.json" with { type: "json" };
import controlExample from "./examples/search-persons-with-significant-control.json" with { type: "json" };

const BIRTH = "^[1-9]\\d{3}(-(0[1-9]|1[0-2]))?$";
const BIRTH_FORM = new RegExp(BIRTH);
const YEAR_CHARACTERS = "YYYY".length;
// Limits: no address of the register is as long; a number may be typed with spaces and signs around it.
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

/** Filters that tell people of one name apart. The official API does not have them. */
const personFilters = { born: BORN, location: LOCATION };

/** The same for officers and persons with significant control, who belong to companies. */
const companyPersonFilters = { ...personFilters, company_number: COMPANY_NUMBER };

type PersonFilters = Partial<QueryValues<typeof companyPersonFilters>>;

const OF_COMPANIES =
  "The term being searched for: a name, part of one, or the number of a company, which finds its people.";

/** Parameters for officers and for persons with significant control. */
const parameters = { ...primaryParameters, q: requiredQuery(OF_COMPANIES), ...companyPersonFilters };

/** Parameters for disqualified officers, who cannot be searched by company. */
const disqualifiedParameters = {
  ...primaryParameters,
  q: requiredQuery("The term being searched for: a name or part of one."),
  ...personFilters,
};

type Values = PageValues & PersonFilters;

/** What differs between the three searches. */
interface PeopleFacts {
  /** The text to search for: of a query that asks for the people of a company, only the company number. */
  text: (q: string) => string;
  /** The clause for the name. */
  query: (text: string, phase: Phase) => Clause;
  /** Whether the text can be read as more than a name. */
  look: (text: string) => Readability;
}

/** What the three searches share. */
function definePeople(index: PeopleIndex, { text, query, look }: PeopleFacts) {
  const kind = `search#${index}`;
  const { schema, present } = peopleItems[index];
  return {
    name: `search-${index}`,
    path: `/search/${index}`,
    indices: [index],
    phases: (values: Values): Phases => {
      const asked = text(values.q);
      return {
        build: (phase) => buildPage(within(query(asked, phase), filterPeople(values)), values),
        words: () => officerWords(asked),
        readability: () => look(asked),
      };
    },
    mapResponse: (result: SearchResult, values: Values) => {
      const asked = readPeopleQuery(text(values.q));
      return presentPage(kind, result, values, {
        present: (hit) => present(hit, asked),
        queryOf: (hit) => queryOf(hit, asked),
      });
    },
    schema: pageSchema(`${INDEX_KINDS[index].kind}-search`, kind, schema),
    statuses: [416],
  };
}

/** For the searches for officers and for persons with significant control. */
const ofCompanies: PeopleFacts = {
  // A query that is only a number stays as typed, since a body's name may be a number, too: 912345 LIMITED.
  text: (q) => (parseQueryNumber(q) === null ? takeNumberAsked(foldText(q)) : null) ?? q,
  query: companyPersonQuery,
  look: anyReadability,
};

/** GET /search/officers: people and bodies with current or past appointments. */
export const searchOfficers = defineSearch({
  ...definePeople("officers", ofCompanies),
  aliases: ["officer-search"],
  summary: "Search officers by current or former name, or by the number of their company.",
  parameters,
  example: officersExample,
});

/** GET /search/disqualified-officers: disqualified people and bodies, those in force first among equals. */
export const searchDisqualifiedOfficers = defineSearch({
  ...definePeople("disqualified-officers", {
    text: (q) => q,
    query: (q, phase) => ({ bool: { must: [officerQuery(q, phase)], should: [IN_FORCE] } }),
    look: checkedReadability,
  }),
  aliases: ["disqualified-officer-search"],
  summary: "Search disqualified officers by name.",
  parameters: disqualifiedParameters,
  example: disqualifiedOfficersExample,
});

/** GET /search/persons-with-significant-control: people and bodies with current or past control of a company. */
export const searchPersonsWithSignificantControl = defineSearch({
  ...definePeople("persons-with-significant-control", ofCompanies),
  summary: "Search persons with significant control by name, or by the number of their company.",
  parameters,
  example: controlExample,
});

/** The clauses of the filters beside the name; none when no filter is set. */
export function filterPeople({ born, location, company_number }: PersonFilters): Clause[] {
  return [
    ...(born ? [bornIn(born)] : []),
    ...inAddress(location),
    ...(company_number ? [term("companies", company_number)] : []),
  ];
}

function bornIn(born: string): Clause {
  return born.length === YEAR_CHARACTERS ? prefix("born", `${born}-`) : term("born", born);
}
