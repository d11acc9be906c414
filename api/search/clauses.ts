/** Query clauses that the searches share, the sort order of results, pages with facets, pruning of clauses. */
import { wordsOf } from "../../index-mappings/names/text.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { splitPostcode } from "../shared/values/address.ts";

/** One clause of the Elasticsearch query language. */
export type Clause = Record<string, unknown>;

/** A clause that matches nothing. */
export const NOTHING: Clause = { match_none: {} };

// Limit: the engine accepts no longer prefix, so a longer value is found only as a whole. A name of 160
// signs that are each written as a word can be that long.
const PREFIX_CHARACTERS = 1000;

/** Matches the entry of `names` that is the current name. */
export const IS_CURRENT: Clause = { term: { "names.current": true } };

// Limit: the query ignores words beyond these; no name of the register needs more.
export const QUERY_WORDS = 16;

// Tuned: in equal tiers the company comes first, then the disqualified officer (search reference 8.5).
const KIND_GAP = 10;
// Tuned: used where names of one tier are near the query by degrees: in queries with other words or misspellings. It is
// less than the difference between two such degrees, and more than OFFICER_BOOST and IN_FORCE_BOOST together. With
// KIND_GAP a disqualified stranger came before the officer named exactly.
const KIND_BOOST = 1 / 80;

// Tuned: less than the effect of one edit on a score, so that it separates only equals.
const IN_FORCE_BOOST = 0.001;

/** Scores by the best of the clauses; the others add nothing. Matches nothing for an empty list. */
export function bestOf(clauses: Clause[]): Clause {
  return clauses.length > 0 ? { dis_max: { queries: clauses } } : NOTHING;
}

/** A clause with the same score for every match. */
export function constant(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}

/** One clause that requires all of these. */
export function allOf(clauses: Clause[]): Clause {
  const [only] = clauses;
  return only && clauses.length === 1 ? only : { bool: { filter: clauses } };
}

/** One clause that requires at least `count` of these; default: one. */
export function someOf(clauses: Clause[], count = 1): Clause {
  const [only] = clauses;
  return only && clauses.length === 1 ? only : { bool: { should: clauses, minimum_should_match: count } };
}

/** The query, restricted to documents that match all filters. */
export function within(query: Clause, filters: Clause[]): Clause {
  return filters.length > 0 ? { bool: { must: [query], filter: filters } } : query;
}

/** A field that equals this value. */
export function term(field: string, value: string | boolean): Clause {
  return { term: { [field]: value } };
}

/** A field that equals one of the values. An empty list sets no condition. */
export function anyOf(field: string, values: string[]): Clause[] {
  return values.length > 0 ? [{ terms: { [field]: values } }] : [];
}

/** A field that begins with this value, or has a word that does. */
export function prefix(field: string, value: string): Clause {
  return value.length > PREFIX_CHARACTERS ? term(field, value) : { prefix: { [field]: value } };
}

/** A text that contains all of the words, in any order. */
export function allWords(field: string, words: string[]): Clause {
  return { match: { [field]: { query: words.join(" "), operator: "and" } } };
}

/** An address that contains all words of the text. A text of no words matches none; no text sets no condition. */
export function inAddress(text: string | undefined): Clause[] {
  if (!text) return [];
  const words = wordsOf(text);
  return words.length > 0 ? words.map(hasAddressWord) : [NOTHING];
}

/** A word of an address. `LS11ZZ` also matches LS1 1ZZ, which is two words in most addresses. */
function hasAddressWord(word: string): Clause {
  const parts = splitPostcode(word);
  return someOf([term("address", word), ...(parts ? [allWords("address", parts)] : [])]);
}

/** A text in which each of the words begins a word. */
export function allBeginnings(field: string, words: string[]): Clause {
  return allOf(words.map((word) => prefix(field, word)));
}

/** Applies a clause to the entries of `names` and scores by the best entry. */
export function inNames(query: Clause): Clause {
  return { nested: { path: "names", score_mode: "max", query } };
}

/** Puts disqualifications that are in force first among equals. */
export const IN_FORCE: Clause = constant({ range: { disqualified_until: { gte: "now/d" } } }, IN_FORCE_BOOST);

/** The order of kinds, as boosts. `hasNearNames`: names of one tier may be near the query by degrees. */
export function orderOfKinds({ hasNearNames }: { hasNearNames: boolean }): Clause[] {
  return [
    constant(term("kind", "company"), 2 * KIND_GAP),
    constant(term("kind", "disqualified-officer"), hasNearNames ? KIND_BOOST : KIND_GAP),
  ];
}

// Tuned: below one edit and above IN_FORCE_BOOST: the officer comes before an equally near person with control.
const OFFICER_BOOST = 0.01;

/** Puts officers before persons with significant control, in a search that includes both. */
export const OFFICER_FIRST: Clause = constant(term("kind", "officer"), OFFICER_BOOST);

/** The sort values that separate equal scores, in their order. The id comes last and makes the order total. */
const TIE_BREAKS: Clause[] = [
  { status_rank: "asc" },
  { words: "asc" },
  // -1 for entries without posts: the engine's own value for "last" would be rounded in the JSON of a cursor.
  { posts: { order: "desc", missing: -1, unmapped_type: "integer" } },
  { order_key: "asc" },
  { id: "asc" },
];

/** The order of the register: alphabetical by name key, then by number. */
export const COMPANY_ORDER: Clause[] = [{ order_key: "asc" }, { id: "asc" }];

/** A page, and the facets to count over all results. */
export interface Page {
  items_per_page: number;
  start_index: number;
  facets?: string[];
}

/** The query body of a page; default order: by relevance. */
export function buildPage(
  query: Clause,
  { items_per_page, start_index, facets = [] }: Page,
  sort: Clause[] = [{ _score: "desc" }, ...TIE_BREAKS],
): SearchBody {
  return {
    query,
    sort,
    from: start_index,
    size: items_per_page,
    track_total_hits: true,
    _source: ["shown"],
    ...countFacets(facets),
  };
}

// The field of the index for each facet of the API. A location is the town of the address, as written there.
const FACETS = { status: "status", type: "type", sic_codes: "sic", location: "locality" } as const;
export type FacetName = keyof typeof FACETS;
/** The facets that can be counted. */
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

// Limit: values per facet, the most frequent first. There are fewer statuses than this, and more types than matter.
export const MOST_COUNTS = 20;

/** The aggregations of a query body; empty when no facet is requested. */
function countFacets(names: string[]): { aggs?: Record<string, Clause> } {
  const asked = FACET_NAMES.filter((name) => names.includes(name));
  if (asked.length === 0) return {};
  const order = [{ _count: "desc" }, { _key: "asc" }];
  const counts = asked.map((name) => [name, { terms: { field: FACETS[name], size: MOST_COUNTS, order } }]);
  return { aggs: Object.fromEntries(counts) as Record<string, Clause> };
}

/**
 * The clause without its parts that match nothing; scores stay the same. The parts must have been pruned before. The
 * engine would drop them itself, once per shard: with words that no document has that took a twentieth longer.
 */
export function prune(clause: Clause): Clause {
  const { bool, dis_max, nested, constant_score, script_score } = clause as Partial<Record<string, Parts>>;
  const parts = bool ?? dis_max ?? nested ?? constant_score ?? script_score ?? {};
  const { should = [], queries = should, minimum_should_match, ...others } = parts;
  const needed = [others.must, others.filter, others.query].flatMap<Clause>((part) => part ?? []);
  const left = queries.filter((one) => !isNothing(one));
  // Without clauses that must match, the engine requires one of the others.
  const least = minimum_should_match ?? (needed.length > 0 ? 0 : Math.min(queries.length, 1));
  if (needed.some(isNothing) || left.length < least) return NOTHING;
  if (left.length === queries.length) return clause;
  if (dis_max) return left.length > 1 ? bestOf(left) : (left[0] ?? NOTHING);
  return { bool: { ...others, ...(left.length > 0 && { should: left, minimum_should_match }) } };
}

/** The members of a clause that contain clauses. All of these must match, except those in `should` and `queries`. */
interface Parts {
  must?: Clause | Clause[];
  filter?: Clause | Clause[];
  query?: Clause;
  should?: Clause[];
  queries?: Clause[];
  minimum_should_match?: number;
}

function isNothing(clause: Clause): boolean {
  return "match_none" in clause;
}
