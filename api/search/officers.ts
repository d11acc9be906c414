/** Owns GET /search/officers: people and bodies with current or past appointments. */
import { pageSchema, presentPage, primaryParameters } from "./answers/envelope.ts";
import { officerItemSchema, presentOfficer, readingOf, readOfficerQuery } from "./answers/officer.ts";
import { buildPage, within } from "./clauses.ts";
import { defineSearch, inPhases } from "./define-search.ts";
import { officerQuery } from "./ranking/person.ts";
import { companyPersonFilters, filterPeople } from "./reading/filters.ts";
import { anyReadability } from "./ranking/readability.ts";
import example from "./examples/search-officers.json" with { type: "json" };

const KIND = "search#officers";

export const searchOfficers = defineSearch({
  name: "search-officers",
  aliases: ["officer-search"],
  path: "/search/officers",
  summary: "Search officers by current or former name.",
  parameters: { ...primaryParameters, ...companyPersonFilters },
  indices: ["officers"],
  buildQueries: (values) =>
    inPhases(
      (phase) => buildPage(within(officerQuery(values.q, phase), filterPeople(values)), values),
      () => anyReadability(values.q),
    ),
  mapResponse: (result, values) => {
    const query = readOfficerQuery(values.q);
    return presentPage(KIND, result, values, {
      sought: "people",
      present: (hit) => presentOfficer(hit, query),
      reading: (hit) => readingOf(hit, query),
    });
  },
  schema: pageSchema("officer-search", KIND, officerItemSchema),
  example,
  statuses: [416],
});
