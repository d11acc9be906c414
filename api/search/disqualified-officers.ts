/** Owns GET /search/disqualified-officers: disqualified people and bodies, those in force first among equals. */
import { pageSchema, presentPage, primaryParameters } from "./answers/envelope.ts";
import {
  disqualifiedOfficerItemSchema,
  presentDisqualifiedOfficer,
  readingOf,
  readOfficerQuery,
} from "./answers/officer.ts";
import { buildPage, IN_FORCE, within } from "./clauses.ts";
import { defineSearch, inPhases } from "./define-search.ts";
import { officerQuery } from "./ranking/person.ts";
import { personFilters, filterPeople } from "./reading/filters.ts";
import { checkedReadability } from "./ranking/readability.ts";
import example from "./examples/search-disqualified-officers.json" with { type: "json" };

const KIND = "search#disqualified-officers";

export const searchDisqualifiedOfficers = defineSearch({
  name: "search-disqualified-officers",
  aliases: ["disqualified-officer-search"],
  path: "/search/disqualified-officers",
  summary: "Search disqualified officers by name.",
  parameters: { ...primaryParameters, ...personFilters },
  indices: ["disqualified-officers"],
  buildQueries: (values) =>
    inPhases(
      (phase) => {
        const query = { bool: { must: [officerQuery(values.q, phase)], should: [IN_FORCE] } };
        return buildPage(within(query, filterPeople(values)), values);
      },
      () => checkedReadability(values.q),
    ),
  mapResponse: (result, values) => {
    const query = readOfficerQuery(values.q);
    return presentPage(KIND, result, values, {
      sought: "people",
      present: (hit) => presentDisqualifiedOfficer(hit, query),
      reading: (hit) => readingOf(hit, query),
    });
  },
  schema: pageSchema("disqualified-officer-search", KIND, disqualifiedOfficerItemSchema),
  example,
  statuses: [416],
});
