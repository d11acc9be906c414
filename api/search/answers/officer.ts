/** Owns officers and disqualified officers as items of the primary searches. */
import { hasFacts } from "../reading/facts.ts";
import { addressSchema, addressSnippet } from "../../shared/values/address.ts";
import { formatLongDate, formatMonthYear } from "../../shared/values/dates.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { linkSchema, objectOf, objectWithOptional } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownDisqualifiedOfficer } from "../../../index-mappings/disqualified-officers/index.ts";
import type { ShownOfficer } from "../../../index-mappings/officers/index.ts";
import { parsePersonQuery } from "../../../index-mappings/names/person-name.ts";
import { tierOf } from "../clauses.ts";
import { ONE_WORD_WAYS, PERSON_WAYS, READING_WAYS, tiersOfPrevious } from "../ranking/tiers.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { companyForms, companyQueryForms, describeMatch, type QueryForms, type Reading } from "./matched.ts";
import { isBody, MATCH_MEMBERS, matchedSchemas } from "./explain.ts";

const FORMER_TIERS = tiersOfPrevious(PERSON_WAYS, READING_WAYS);
const FORMER_TIERS_OF_ONE_WORD = tiersOfPrevious(ONE_WORD_WAYS, READING_WAYS);

/** The query, read once for all items of a page: as a person's name, and as a body's. */
export interface OfficerQuery {
  person: QueryForms;
  body: QueryForms;
}

/** Reads the name of a person, or a query for one. */
export function personForms(text: string): QueryForms {
  const { words, whole } = parsePersonQuery(text);
  return {
    words,
    key: whole,
    end: "NONE",
    halfTyped: [],
    isPerson: true,
    misspelt: () => [],
    hasFacts: () => hasFacts(text, { isPerson: true }),
  };
}

/** Reads a query for officers. `body`: the same as a company's name, if it was read already. */
export function readOfficerQuery(q: string, body: QueryForms = companyQueryForms(q)): OfficerQuery {
  return { person: personForms(q), body };
}

/** How the names of an officer are read, as those of a person or of a body, and the query for them. */
export function readingOf(hit: SearchHit, { person, body }: OfficerQuery): Reading {
  return isBody(hit) ? { query: body, read: companyForms } : { query: person, read: personForms };
}

/** An officer as an item. */
export function presentOfficer(hit: SearchHit, query: OfficerQuery): Record<string, unknown> {
  const officer = hit.source.shown as ShownOfficer; // the document of the index that the hit is from
  const { title, appointment_count, date_of_birth, address = {} } = officer;
  const count = `Total number of appointments ${appointment_count}`;
  const born = date_of_birth && `Born ${formatMonthYear(date_of_birth)}`;
  return {
    kind: "searchresults#officer",
    title,
    appointment_count,
    ...(date_of_birth ? { date_of_birth } : {}),
    description: [count, born].filter(Boolean).join(" - "),
    description_identifiers: ["appointment-count", ...(born ? ["born-on"] : [])],
    address,
    address_snippet: addressSnippet(address),
    ...matchOf(hit, officer, query),
    links: { self: `/officers/${hit.id}/appointments` },
  };
}

/** The name that matched, and the marks in it. Some tiers are those of former names alone. */
function matchOf(hit: SearchHit, { title, other_names, former_names }: ShownOfficer, query: OfficerQuery) {
  const reading = readingOf(hit, query);
  const tiers = reading.query.words.length === 1 ? FORMER_TIERS_OF_ONE_WORD : FORMER_TIERS;
  const isFormer = !isBody(hit) && hit.score !== null && tiers.has(tierOf(hit.score));
  const names = isFormer ? former_names : [...other_names, ...former_names];
  return describeMatch(reading, title, names, isFormer);
}

/** A disqualified officer as an item. */
export function presentDisqualifiedOfficer(hit: SearchHit, query: OfficerQuery): Record<string, unknown> {
  const officer = hit.source.shown as ShownDisqualifiedOfficer; // as above
  const { title, date_of_birth, address = {} } = officer;
  return {
    kind: "searchresults#disqualified-officer",
    title,
    ...(date_of_birth ? { date_of_birth } : {}),
    description: date_of_birth ? `Born on ${formatLongDate(date_of_birth)}` : "Disqualified",
    description_identifiers: date_of_birth ? ["born-on"] : [],
    address,
    address_snippet: addressSnippet(address),
    ...describeMatch(readingOf(hit, query), title, []),
    links: { self: `/disqualified-officers/${isBody(hit) ? "corporate" : "natural"}/${hit.id}` },
  };
}

const commonSchemas = {
  title: { type: "string", description: "Name of the officer." },
  description: { type: "string", description: "Words that describe the officer." },
  address: addressSchema,
  address_snippet: { type: "string" },
  ...matchedSchemas,
  links: linkSchema("self"),
};

/** JSON Schema of an officer as an item. */
export const officerItemSchema: JsonSchema = {
  title: "officer-search-item",
  description: "An officer that a search found.",
  ...objectWithOptional(["date_of_birth", ...MATCH_MEMBERS], {
    ...commonSchemas,
    kind: { const: "searchresults#officer" },
    appointment_count: { type: "integer", minimum: 1 },
    date_of_birth: {
      title: "officer-search-birth-month",
      description: "Month and year of birth. The day is not shown.",
      ...objectOf(["month", "year"], {
        month: { type: "integer", minimum: 1, maximum: 12 },
        year: { type: "integer" },
      }),
    },
    description_identifiers: {
      type: "array",
      items: enumerationSchema("officer_search_description"),
    },
  }),
};

/** JSON Schema of a disqualified officer as an item. */
export const disqualifiedOfficerItemSchema: JsonSchema = {
  title: "disqualified-officer-search-item",
  description: "A disqualified officer that a search found.",
  ...objectWithOptional(["date_of_birth", ...MATCH_MEMBERS], {
    ...commonSchemas,
    kind: { const: "searchresults#disqualified-officer" },
    date_of_birth: { type: "string", format: "date", description: "The whole date of birth." },
    description_identifiers: {
      type: "array",
      items: enumerationSchema("disqualified_officer_search_description"),
    },
  }),
};
