/** Owns GET /search/persons-with-significant-control: people and bodies with current or past control of a company. */
import { pageSchema, presentPage, primaryParameters } from "./answers/envelope.ts";
import { readingOf, readOfficerQuery } from "./answers/officer.ts";
import { presentPscItem, pscItemSchema } from "./answers/person-with-significant-control.ts";
import { buildPage, within } from "./clauses.ts";
import { defineSearch, inPhases } from "./define-search.ts";
import { officerQuery } from "./ranking/person.ts";
import { companyPersonFilters, filterPeople } from "./reading/filters.ts";
import { anyReadability } from "./ranking/readability.ts";
import example from "./examples/search-persons-with-significant-control.json" with { type: "json" };

const KIND = "search#persons-with-significant-control";

export const searchPersonsWithSignificantControl = defineSearch({
  name: "search-persons-with-significant-control",
  path: "/search/persons-with-significant-control",
  summary: "Search persons with significant control by name.",
  parameters: { ...primaryParameters, ...companyPersonFilters },
  indices: ["persons-with-significant-control"],
  buildQueries: (values) =>
    inPhases(
      (phase) => buildPage(within(officerQuery(values.q, phase), filterPeople(values)), values),
      () => anyReadability(values.q),
    ),
  mapResponse: (result, values) => {
    const query = readOfficerQuery(values.q);
    return presentPage(KIND, result, values, {
      sought: "people",
      present: (hit) => presentPscItem(hit, query),
      reading: (hit) => readingOf(hit, query),
    });
  },
  schema: pageSchema("person-with-significant-control-search", KIND, pscItemSchema),
  example,
  statuses: [416],
});
