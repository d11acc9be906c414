/** GET /search: companies, officers, disqualified officers and persons with significant control, ranked together. */
import { INDEX_BY_KIND, INDEX_KINDS, type IndexName } from "../shared/definitions/define-index.ts";
import type { ListParameter } from "../shared/schemas/query-parameters.ts";
import { companyItemSchema, presentCompany } from "./answers/company.ts";
import { pageSchema, presentPage, primaryParameters } from "./answers/page.ts";
import { peopleItems, queryOf, readPeopleQuery } from "./answers/people.ts";
import { bestOf, buildPage, type Clause, IN_FORCE, OFFICER_FIRST, orderOfKinds } from "./clauses.ts";
import { defineSearch } from "./define-search.ts";
import type { Phase } from "../shared/definitions/search-result.ts";
import { companyQuery } from "./ranking/company.ts";
import type { Beside } from "./ranking/company-matches.ts";
import { officerQuery, officerWords } from "./ranking/person.ts";
import { anyReadability } from "./reading/readability.ts";
import example from "./examples/search-all.json" with { type: "json" };

const KIND = "search#all";

// Compat: the original's answer has only these three kinds, so clients cannot read items of another.
const DEFAULT_KINDS = ["company", "officer", "disqualified-officer"];

// Names that differ by a letter, for each kind, would cost as much as the rest of the query. So this search shows them
// only when there are no exact names; the searches for one kind show them beside exact names.
const BESIDE: Beside = { byALetter: false };

const KINDS: ListParameter = {
  kind: "list",
  description:
    "Kinds of results. Default: those of the official API (company, officer and disqualified-officer); " +
    "person-with-significant-control only if you ask for it.",
  values: Object.values(INDEX_KINDS).map(({ kind }) => kind),
};

export const searchAll = defineSearch({
  name: "search-all",
  aliases: ["search"],
  path: "/search",
  summary: "Search companies, officers and disqualified officers together.",
  parameters: { ...primaryParameters, kinds: KINDS },
  indices: indicesOf(DEFAULT_KINDS),
  indicesOf: ({ kinds }) => indicesOf(kindsAsked(kinds)),
  phases: (values) => ({
    build: (phase) => buildPage(buildQuery(values.q, kindsAsked(values.kinds), phase), values),
    words: () => officerWords(values.q),
    readability: () => anyReadability(values.q),
    isMixed: true,
  }),
  mapResponse: (result, values) => {
    const asked = readPeopleQuery(values.q);
    return presentPage(KIND, result, values, {
      present: (hit) =>
        hit.index === "companies"
          ? presentCompany(hit, asked.body)
          : peopleItems[hit.index].present(hit, asked),
      queryOf: (hit) => queryOf(hit, asked),
    });
  },
  schema: pageSchema("search", KIND, {
    anyOf: [companyItemSchema, ...Object.values(peopleItems).map(({ schema }) => schema)],
  }),
  example,
  statuses: [416],
});

function kindsAsked(kinds: string[]): string[] {
  return kinds.length > 0 ? kinds : DEFAULT_KINDS;
}

function indicesOf(kinds: string[]): IndexName[] {
  return kinds.flatMap((kind) => INDEX_BY_KIND.get(kind) ?? []);
}

/** Ranks results of all kinds by their tiers; results of one tier follow the order of the kinds. */
function buildQuery(q: string, kinds: string[], phase: Phase): Clause {
  const people = kinds.filter((kind) => kind !== "company");
  const partOf = (own: string[], query: Clause) => {
    const others = kinds.filter((kind) => !own.includes(kind));
    return {
      bool: {
        filter: [{ terms: { kind: own } }],
        must: [query],
        must_not: indicesOf(others).map(inIndicesEndingWith),
      },
    };
  };
  const clauses: Clause[] = [
    ...(kinds.includes("company") ? [partOf(["company"], companyQuery(q, phase, BESIDE))] : []),
    ...(people.length > 0 ? [partOf(people, officerQuery(q, phase, BESIDE))] : []),
  ];
  const order = orderOfKinds({ hasNearNames: phase !== "strict" });
  const byControl = kinds.includes("person-with-significant-control") ? [OFFICER_FIRST] : [];
  return { bool: { must: [bestOf(clauses)], should: [...order, ...byControl, IN_FORCE] } };
}

/**
 * Documents of the indices whose alias ends with this name; `officers` also matches disqualified-officers. With this
 * clause the engine skips a part of the query for a whole index before it prepares the clauses. With the kind alone it
 * skips it only afterwards, which took up to twice as long.
 */
export function inIndicesEndingWith(name: IndexName): Clause {
  return { wildcard: { _index: `*${name}` } };
}
