/** GET /name-availability/companies: whether a company name is free; and the search by same-as key that it needs. */
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../index-mappings/names/same-as.ts";
import { wordsOf } from "../../index-mappings/names/text.ts";
import { objectWithOptional } from "../shared/schemas/schemas.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { companyItemSchema, presentCompany } from "./answers/company.ts";
import { companyQueryForms } from "./answers/name-forms.ts";
import { queryText, withoutEscapes } from "./reading/query-text.ts";
import { allOf, buildPage, type Clause, COMPANY_ORDER, type Page, term } from "./clauses.ts";
import { defineSearch } from "./define-search.ts";
import example from "./examples/check-name-availability.json" with { type: "json" };

const KIND = "name-availability#companies";

// Limit: companies listed as reasons. Usually only one company has the name, and any one makes it unavailable.
const MOST_ITEMS = 20;

/** Refuses a text of punctuation alone, which has no words to compare. A blank text stays, and counts as missing. */
function settleName(given: string): string | null {
  const name = withoutEscapes(given);
  return name.trim() === "" || wordsOf(name).length > 0 ? name : null;
}

// A name is free again once its company is dissolved, closed, converted or removed: status group 2.
const IS_ON_THE_INDEX: Clause = { range: { status_rank: { lt: 2 } } };

/**
 * Whether a name can still be registered, by the same-as rules of the Company, Limited Liability Partnership and
 * Business (Names and Trading Disclosures) Regulations 2015. Not in the original.
 */
export const checkNameAvailability = defineSearch({
  name: "check-name-availability",
  path: "/name-availability/companies",
  summary: "Check whether a company name is available: no company on the register has the same name.",
  parameters: {
    q: {
      ...queryText(
        "The name to check. It needs a letter, a digit or a sign that is a word, such as &. Names are the same if they " +
          "differ only in legal ending, punctuation, equivalent words and signs (AND and &, 4 and FOUR), a final S, and " +
          "endings such as UK or COMPANY.",
      ),
      settle: settleName,
      required: true,
    },
  },
  indices: ["companies"],
  phases: ({ q }) => ({
    build: () => buildSameAs({ q, start_index: 0, items_per_page: MOST_ITEMS }, [IS_ON_THE_INDEX]),
    last: "strict",
  }),
  mapResponse: ({ total, hits }, { q }) => {
    const query = companyQueryForms(q);
    return {
      kind: KIND,
      company_name: q,
      same_as_key: keyOf(q),
      is_available: total === 0,
      total_results: total,
      items: hits.map((hit) => presentCompany(hit, query)),
    };
  },
  schema: {
    title: "name-availability",
    description: "Whether a company name is available, and the companies with the same name.",
    ...objectWithOptional([], {
      kind: { const: KIND },
      company_name: { type: "string", description: "The name that was checked." },
      same_as_key: { type: "string", description: "The part of the name that is compared." },
      is_available: {
        type: "boolean",
        description: "True if no company has the same name, dissolved ones excepted.",
      },
      total_results: { type: "integer", minimum: 0, description: "Companies that have the same name." },
      items: { type: "array", maxItems: MOST_ITEMS, items: companyItemSchema },
    }),
  },
  example,
});

/** The query body of companies with the same-as key of `q`. All match equally, so the order is the register's. */
export function buildSameAs(values: Page & { q: string }, filters: Clause[]): SearchBody {
  return buildPage(allOf([term("same_as", keyOf(values.q)), ...filters]), values, COMPANY_ORDER);
}

function keyOf(q: string): string {
  return sameAsKey(parseCompanyName(q));
}
