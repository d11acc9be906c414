/** People and bodies as items: officers, disqualified officers, persons with significant control. */
import { hasFacts } from "../reading/facts.ts";
import { INDEX_KINDS, type IndexName } from "../../shared/definitions/define-index.ts";
import { type Address, addressSchema, addressSnippet } from "../../shared/values/address.ts";
import { formatLongDate, formatMonthYear } from "../../shared/values/dates.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { pickMembers } from "../../shared/values/members.ts";
import { DATE, linkSchema, objectOf, objectWithOptional, orNull } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import {
  birthMonthSchema,
  pscMemberSchemas,
} from "../../resources/person-with-significant-control/members.ts";
import { pathOfPsc } from "../../resources/person-with-significant-control/record.ts";
import type { ShownDisqualifiedOfficer } from "../../../index-mappings/disqualified-officers/index.ts";
import type { ShownOfficer } from "../../../index-mappings/officers/index.ts";
import type { ShownPsc } from "../../../index-mappings/persons-with-significant-control/index.ts";
import { parsePersonQuery } from "../../../index-mappings/names/person-name.ts";
import { QUERY_WORDS } from "../clauses.ts";
import { ONE_WORD_WAYS, PERSON_WAYS, READING_WAYS, tierOf, tiersOfPrevious } from "../ranking/tiers.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { describeMatch } from "./matched.ts";
import { companyQueryForms, type QueryForms } from "./name-forms.ts";
import { isBody, MATCH_MEMBERS, matchedSchemas } from "./explain.ts";

const FORMER_TIERS = tiersOfPrevious(PERSON_WAYS, READING_WAYS);
const FORMER_TIERS_OF_ONE_WORD = tiersOfPrevious(ONE_WORD_WAYS, READING_WAYS);

/** The query, read once for all items of a page: as the name of a person, and as the name of a body or company. */
interface PeopleQuery {
  person: QueryForms;
  body: QueryForms;
}

/** Reads the name of a person, or a query for a person. */
export function personForms(text: string): QueryForms {
  const { words, whole } = parsePersonQuery(text);
  return {
    words,
    key: whole,
    end: "NONE",
    read: personForms,
    number: null,
    halfTyped: [],
    isPerson: true,
    misspelt: () => [],
    sought: () => ({ words: words.slice(0, QUERY_WORDS), distinctive: words }),
    hasFacts: () => hasFacts(text, { isPerson: true }),
  };
}

/** Reads a query for people. */
export function readPeopleQuery(q: string): PeopleQuery {
  return { person: personForms(q), body: companyQueryForms(q) };
}

/** The query, read as what the hit is: as the name of a person, or of a body or company. */
export function queryOf(hit: SearchHit, { person, body }: PeopleQuery): QueryForms {
  return hit.index === "companies" || isBody(hit) ? body : person;
}

/** The indices of people and bodies. */
export type PeopleIndex = Exclude<IndexName, "companies">;

/** How hits of an index become items. */
interface PeopleItem {
  schema: JsonSchema;
  present: (hit: SearchHit, query: PeopleQuery) => Record<string, unknown>;
}

/** The members of a document that items of all these indices use. */
interface Shown extends Partial<Pick<ShownOfficer, "other_names" | "former_names">> {
  title: string;
  address?: Address;
}

/** What differs between the items of the indices. */
interface ItemFacts<S extends Shown> {
  description: string;
  /** Optional members that are copied from the document. */
  members: Record<string, JsonSchema>;
  /** Members that are copied from the document and that every item has. */
  always?: Record<string, JsonSchema>;
  /** The parts of the description by identifier, in order. Undefined parts are left out. */
  describe: (shown: S) => Record<string, string | undefined>;
  /** The description if all parts are left out. */
  noParts?: string;
  identifier: JsonSchema;
  links: (hit: SearchHit, shown: S) => Record<string, string>;
  linksSchema?: JsonSchema;
}

function defineItem<S extends Shown>(index: PeopleIndex, facts: ItemFacts<S>): PeopleItem {
  const kind = `searchresults#${INDEX_KINDS[index].kind}`;
  // The cast: all of these are members of the index's documents.
  const names = Object.keys({ ...facts.always, ...facts.members }) as (keyof S)[];
  return {
    schema: { title: `${INDEX_KINDS[index].kind}-search-item`, ...itemSchema(kind, facts) },
    present: (hit, query) => {
      const shown = hit.source.shown as S; // the document of the index that the hit is from
      const parts = Object.entries(facts.describe(shown)).filter(([, words]) => words !== undefined);
      const { title, address } = shown;
      return {
        kind,
        title,
        ...pickMembers(shown, names),
        description: parts.map(([, words]) => words).join(" - ") || facts.noParts,
        description_identifiers: parts.map(([identifier]) => identifier),
        address: address ?? null,
        address_snippet: address ? addressSnippet(address) : null,
        ...matchOf(hit, shown, query),
        links: facts.links(hit, shown),
      };
    },
  };
}

function itemSchema<S extends Shown>(kind: string, facts: ItemFacts<S>): JsonSchema {
  const { description, members, always, identifier, linksSchema = linkSchema("self") } = facts;
  return {
    description,
    ...objectWithOptional([...Object.keys(members), ...MATCH_MEMBERS], {
      kind: { const: kind },
      title: { type: "string", description: "Name of the person or body." },
      ...always,
      ...members,
      description: { type: "string", description: "Words that describe the person or body." },
      description_identifiers: { type: "array", items: identifier },
      address: orNull(addressSchema),
      address_snippet: { type: ["string", "null"] },
      ...matchedSchemas,
      links: linksSchema,
    }),
  };
}

/** The name that matched, and its marks. Some tiers have only former names, so they show that a former name matched. */
function matchOf(hit: SearchHit, { title, other_names = [], former_names = [] }: Shown, asked: PeopleQuery) {
  const query = queryOf(hit, asked);
  const tiers = query.words.length === 1 ? FORMER_TIERS_OF_ONE_WORD : FORMER_TIERS;
  const isFormer = !isBody(hit) && hit.score !== null && tiers.has(tierOf(hit.score));
  const names = isFormer ? former_names : [...other_names, ...former_names];
  return describeMatch(query, title, names, isFormer);
}

/** How hits become items, by index. */
export const peopleItems: Record<PeopleIndex, PeopleItem> = {
  officers: defineItem<ShownOfficer>("officers", {
    description: "An officer that a search found.",
    always: { appointment_count: { type: "integer", minimum: 1 } },
    members: {
      date_of_birth: {
        title: "officer-search-birth-month",
        description: "Month and year of birth. The day is not shown.",
        ...objectOf(["month", "year"], {
          month: { type: "integer", minimum: 1, maximum: 12 },
          year: { type: "integer" },
        }),
      },
    },
    describe: ({ appointment_count, date_of_birth: born }) => ({
      "appointment-count": `Total number of appointments ${appointment_count}`,
      "born-on": born && `Born ${formatMonthYear(born)}`,
    }),
    identifier: enumerationSchema("officer_search_description"),
    links: ({ id }) => ({ self: `/officers/${id}/appointments` }),
  }),
  "disqualified-officers": defineItem<ShownDisqualifiedOfficer>("disqualified-officers", {
    description: "A disqualified officer that a search found.",
    members: {
      date_of_birth: { type: "string", format: "date", description: "The whole date of birth." },
    },
    describe: ({ date_of_birth: born }) => ({ "born-on": born && `Born on ${formatLongDate(born)}` }),
    noParts: "Disqualified",
    identifier: enumerationSchema("disqualified_officer_search_description"),
    links: (hit) => ({ self: `/disqualified-officers/${isBody(hit) ? "corporate" : "natural"}/${hit.id}` }),
  }),
  "persons-with-significant-control": defineItem<ShownPsc>("persons-with-significant-control", {
    description: "A person or body with significant control of one company.",
    members: {
      date_of_birth: birthMonthSchema,
      natures_of_control: {
        ...pscMemberSchemas.natures_of_control,
        description: "How the company is controlled.",
      },
      notified_on: { ...DATE, description: "The day on which the registrar was notified." },
      ceased_on: { ...DATE, description: "The day on which control ended; absent while it continues." },
    },
    describe: ({ company_number, date_of_birth: born, notified_on, ceased_on }) => ({
      "controls-company": `Company ${company_number}`,
      "born-on": born && `Born ${formatMonthYear(born)}`,
      "notified-on": notified_on && `Notified on ${formatLongDate(notified_on)}`,
      "ceased-on": ceased_on && `Ceased on ${formatLongDate(ceased_on)}`,
    }),
    identifier: { enum: ["controls-company", "born-on", "notified-on", "ceased-on"] },
    links: ({ id }, { kind, company_number }) => ({
      self: pathOfPsc({ kind, company_number, notification_id: id }),
      company: `/company/${company_number}`,
    }),
    linksSchema: {
      description: "Links to related resources.",
      ...objectOf(["self", "company"], {
        self: { type: "string", description: "The person with significant control." },
        company: { type: "string", description: "The company that is controlled." },
      }),
    },
  }),
};
