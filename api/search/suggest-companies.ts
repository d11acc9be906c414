/** GET /suggest/companies: suggests companies while a name is being typed. The original does not have it. */
import type { ShownCompany } from "../../index-mappings/companies/index.ts";
import { itemsPerPage } from "../shared/schemas/query-parameters.ts";
import { enumerationSchema } from "../shared/values/enumerations.ts";
import { linkSchema, orNull, objectWithOptional } from "../shared/schemas/schemas.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import { matchOf } from "./answers/company.ts";
import { companyMembers, NAME_QUERY } from "./answers/company-page.ts";
import { marksSchemas } from "./answers/marks.ts";
import { companyQueryForms, type QueryForms } from "./answers/name-forms.ts";
import { buildPage, bestOf, type Clause, constant, inNames, prefix, someOf } from "./clauses.ts";
import { defineSearch } from "./define-search.ts";
import type { Phase, SearchHit } from "../shared/definitions/search-result.ts";
import example from "./examples/suggest-companies.json" with { type: "json" };
import {
  type CompanyName,
  keyWithoutThe,
  parseCompanyName,
} from "../../index-mappings/names/company-name.ts";
import { foldText } from "../../index-mappings/names/text.ts";
import { byNumberOrName, companiesNamedIn, companyQuery } from "./ranking/company.ts";
import { type Match, wholeMatches } from "./ranking/company-matches.ts";
import { nearBeginning, SHORT_KEY } from "./near-words.ts";
import { atTier, atTiersByNearness, NAME_WAYS, type NameWay, READING_WAYS } from "./ranking/tiers.ts";

const KIND = "suggest#companies";

// Tuned: hits per suggestion, since only the first of equal names is shown. Few names have more than two companies.
const HITS_PER_ITEM = 3;

export const suggestCompanies = defineSearch({
  name: "suggest-companies",
  path: "/suggest/companies",
  summary: "Suggest companies while a name or number is being typed.",
  parameters: {
    q: {
      ...NAME_QUERY,
      description: "Beginning of a current or previous name, or a whole company number.",
    },
    items_per_page: itemsPerPage({ default: 10, maximum: 20 }),
  },
  indices: ["companies"],
  phases: ({ q, items_per_page }) => ({
    build: (phase) => ({
      ...buildPage(typedNameQuery(q, phase), {
        start_index: 0,
        items_per_page: items_per_page * HITS_PER_ITEM,
      }),
      // The answer has no total, so the engine need not count.
      track_total_hits: 1,
      _source: ["shown", "order_key"],
    }),
  }),
  mapResponse: ({ hits }, { q, items_per_page }) => {
    const query = companyQueryForms(q);
    const items = distinctNames(hits).slice(0, items_per_page);
    return { kind: KIND, items: items.map((hit) => presentSuggestion(hit, query)) };
  },
  schema: {
    title: "company-suggestions",
    description:
      "Companies whose names begin with the text, the best first; if none do, companies with a name near it or in it.",
    ...objectWithOptional([], {
      kind: { const: KIND },
      items: { type: "array", maxItems: 20, items: suggestionSchema() },
    }),
  },
  example,
});

/** The first hit of each name key: names that differ only in ending, spaces or signs have the same key. */
function distinctNames(hits: SearchHit[]): SearchHit[] {
  const keys = new Set<unknown>();
  return hits.filter(({ source }) => !keys.has(source.order_key) && keys.add(source.order_key));
}

function presentSuggestion(hit: SearchHit, query: QueryForms): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  return {
    title: company.company_name,
    company_number: hit.id,
    company_status: company.company_status ?? null,
    ...matchOf(hit, company, query),
    links: { self: `/company/${hit.id}` },
  };
}

function suggestionSchema(): JsonSchema {
  return {
    title: "company-suggestion",
    description: "A company whose name begins with the text, is near it or is in it.",
    ...objectWithOptional([], {
      title: { type: "string", description: "Present name of the company." },
      company_number: companyMembers.company_number,
      company_status: orNull(enumerationSchema("company_status")),
      ...marksSchemas,
      links: linkSchema("self"),
    }),
  };
}

const { same, sameButEnding, beginningWords, beginningLetters } = NAME_WAYS;
const BEGINNINGS: NameWay[] = [same, sameButEnding, beginningWords, beginningLetters];
// Tuned: from this many letters on, they may begin any word of a name. Fewer letters begin too many words: one in
// twenty names of the register has a word that begins with SER.
const LETTERS_OF_ANY_WORD = 4;
// Tuned: at least three digits, since fewer begin too many numbers.
const BEGINNING_OF_A_NUMBER = /^([A-Z]{0,2})(\d{3,7})$/;
// Limit: the engine accepts patterns of 1,000 characters, and 18 letters make a longer one. A query of that length has
// whole words, which are found without the pattern.
const PATTERN_LETTERS = 17;

// Tuned: above the score of a misspelt word in the middle of a name, since names are typed from their beginning.
const NEAR_BEGINNING = 4;

/**
 * Companies whose name may be the one being typed: the name begins with the text or, from LETTERS_OF_ANY_WORD on, one
 * of its words does. Later phases add names that are near the text, or that the text has among other words.
 */
function typedNameQuery(q: string, phase: Phase): Clause {
  const name = parseCompanyName(q);
  const isEnough = name.key.length >= LETTERS_OF_ANY_WORD;
  if (phase !== "strict" && isEnough)
    return bestOf([
      companyQuery(q, "tolerant"),
      ...companiesNamedIn(q),
      ...numbersThatBegin(q),
      ...nearlyTyped(name),
    ]);
  const matches = wholeMatches(name, phase);
  const typed = isEnough ? matches : matches.filter(isBeginning);
  return bestOf([byNumberOrName(q, typed), ...numbersThatBegin(q)]);
}

function isBeginning({ way }: Match): boolean {
  return BEGINNINGS.includes(way);
}

/** Companies whose number begins with the text. Its digits may lack leading zeros: `SC9077` finds SC090771. */
function numbersThatBegin(q: string): Clause[] {
  const typed = BEGINNING_OF_A_NUMBER.exec(foldText(q).replace(/[\s#-]/g, ""));
  if (!typed) return [];
  const [, letters = "", digits = ""] = typed;
  const zeros = digits.startsWith("0") ? [""] : ["", "0", "00"];
  const beginnings = zeros.map((lost) => letters + lost + digits);
  return [
    atTier(someOf(beginnings.map((beginning) => prefix("id", beginning))), READING_WAYS.number.tiers.current),
  ];
}

/** Names that nearly begin with the text, or with the text after a THE that is misspelt or joined to the next word. */
function nearlyTyped(name: CompanyName): Clause[] {
  const { key } = name;
  const withoutThe = keyWithoutThe(name) ?? "";
  const isPattern = key.length >= SHORT_KEY && key.length <= PATTERN_LETTERS && /^[\p{L}\p{N}]+$/u.test(key);
  const beginnings = [
    ...(isPattern ? [nearBeginning("names.key", key)] : []),
    ...(withoutThe.length >= SHORT_KEY ? [prefix("names.key", withoutThe)] : []),
  ];
  return beginnings.map((beginning) =>
    inNames(atTiersByNearness(constant(beginning, NEAR_BEGINNING), NAME_WAYS.near.tiers)),
  );
}
