/**
 * Owns the query fragments that the searches share: the tie-breaks among results of one tier, the page with its facets, and what
 * is left of a clause when a part of it matches nothing.
 */
import { wordsOf } from "../../index-mappings/names/text.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { splitPostcode } from "../shared/values/address.ts";

/** One clause of the Elasticsearch query language. */
export type Clause = Record<string, unknown>;

/** Matches nothing. */
export const NOTHING: Clause = { match_none: {} };

// Limit: the engine accepts no longer prefix; a longer value is found only as a whole. A name of 160
// signs, each written as a word, is that long.
const PREFIX_CHARACTERS = 1000;

/** An entry of `names` for the current name. */
export const IS_CURRENT: Clause = { term: { "names.current": true } };

// Limit: further words are not part of the query; no name of the register needs them.
export const QUERY_WORDS = 16;

// Tuned: of equal tiers the company comes first, then the disqualified officer (search reference 8.5).
const KIND_GAP = 10;
// Tuned: beside other words and with slips a tier has nearer names and others: less than what separates these, and more than
// OFFICER_BOOST and IN_FORCE_BOOST together. With KIND_GAP a disqualified stranger came before the officer named exactly.
const KIND_BOOST = 1 / 80;

// Tuned: less than the effect of one edit on a score, so that it separates only equals.
const IN_FORCE_BOOST = 0.001;

/** The best of several clauses decides; the others add nothing. An empty list finds nothing. */
export function bestOf(clauses: Clause[]): Clause {
  return clauses.length > 0 ? { dis_max: { queries: clauses } } : NOTHING;
}

/** A clause with the same score for every match. */
export function constant(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}

/** All of the clauses, as one. */
export function allOf(clauses: Clause[]): Clause {
  const [only] = clauses;
  return only && clauses.length === 1 ? only : { bool: { filter: clauses } };
}

/** At least this many of the clauses; default: one. */
export function someOf(clauses: Clause[], count = 1): Clause {
  const [only] = clauses;
  return only && clauses.length === 1 ? only : { bool: { should: clauses, minimum_should_match: count } };
}

/** A query over the documents that match all filters. */
export function within(query: Clause, filters: Clause[]): Clause {
  return filters.length > 0 ? { bool: { must: [query], filter: filters } } : query;
}

/** A field that equals this value. */
export function term(field: string, value: string | boolean): Clause {
  return { term: { [field]: value } };
}

/** A field that equals one of the values; no condition without any. */
export function anyOf(field: string, values: string[]): Clause[] {
  return values.length > 0 ? [{ terms: { [field]: values } }] : [];
}

/** A field, or one of its words, that begins with this. */
export function prefix(field: string, value: string): Clause {
  return value.length > PREFIX_CHARACTERS ? term(field, value) : { prefix: { [field]: value } };
}

/** A text that contains all of the words, in any order. */
export function allWords(field: string, words: string[]): Clause {
  return { match: { [field]: { query: words.join(" "), operator: "and" } } };
}

/** An address that contains all words of the text; no address when the text has none, and no condition without a text. */
export function inAddress(text: string | undefined): Clause[] {
  if (!text) return [];
  const words = wordsOf(text);
  return words.length > 0 ? words.map(hasAddressWord) : [NOTHING];
}

/** `LS11ZZ` is two words in an address, where it is not typed without its space there, too. */
function hasAddressWord(word: string): Clause {
  const parts = splitPostcode(word);
  return someOf([term("address", word), ...(parts ? [allWords("address", parts)] : [])]);
}

/** A text in which each of the words begins a word. */
export function allBeginnings(field: string, words: string[]): Clause {
  return allOf(words.map((word) => prefix(field, word)));
}

/** A clause over the entries of `names`; the best entry decides. */
export function inNames(query: Clause): Clause {
  return { nested: { path: "names", score_mode: "max", query } };
}

/** Disqualifications in force come first among equals. */
export const IN_FORCE: Clause = constant({ range: { disqualified_until: { gte: "now/d" } } }, IN_FORCE_BOOST);

/** The kinds in their order, for a search over several; `hasNearNames`: those of one tier may be near the query by degrees. */
export function orderOfKinds({ hasNearNames }: { hasNearNames: boolean }): Clause[] {
  return [
    constant(term("kind", "company"), 2 * KIND_GAP),
    constant(term("kind", "disqualified-officer"), hasNearNames ? KIND_BOOST : KIND_GAP),
  ];
}

// Tuned: as IN_FORCE_BOOST, and above it: the officer comes before the person with control when both are as near.
const OFFICER_BOOST = 0.01;

/** The boost over persons with significant control, in a search that includes these, too. */
export const OFFICER_FIRST: Clause = constant(term("kind", "officer"), OFFICER_BOOST);

/** Ties below the score, in their order; the identity, last, makes the order total. */
const TIE_BREAKS: Clause[] = [
  { status_rank: "asc" },
  { words: "asc" },
  // A number for entries without posts: the engine's own value for last would not survive a cursor's JSON.
  { posts: { order: "desc", missing: -1, unmapped_type: "integer" } },
  { order_key: "asc" },
  { id: "asc" },
];

/** The order of the register: names sorted like an index of names, equals by number. */
export const COMPANY_ORDER: Clause[] = [{ order_key: "asc" }, { id: "asc" }];

/** A page, and the facets to count over all results. */
export interface Page {
  items_per_page: number;
  start_index: number;
  facets?: string[];
}

/** A request for a page; default order: by relevance. */
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

// The fields of the index by the words of the API. A location is the town, as addresses name it.
const FACETS = { status: "status", type: "type", sic_codes: "sic", location: "locality" } as const;
export type FacetName = keyof typeof FACETS;
/** What can be counted. */
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

// Limit: values counted of each facet, the most frequent first; there are fewer statuses, and more types than matter.
export const MOST_COUNTS = 20;

/** The counting part of a query body; empty when nothing is to be counted. */
function countFacets(names: string[]): { aggs?: Record<string, Clause> } {
  const asked = FACET_NAMES.filter((name) => names.includes(name));
  if (asked.length === 0) return {};
  const order = [{ _count: "desc" }, { _key: "asc" }];
  const counts = asked.map((name) => [name, { terms: { field: FACETS[name], size: MOST_COUNTS, order } }]);
  return { aggs: Object.fromEntries(counts) as Record<string, Clause> };
}

/**
 * A clause whose own parts have been pruned before, without those that match nothing; its scores stay the same. The engine
 * would leave them out as well, once for each shard: of words that nobody has it took a twentieth longer.
 */
export function prune(clause: Clause): Clause {
  const { bool, dis_max, nested, constant_score, script_score } = clause as Partial<Record<string, Parts>>;
  const parts = bool ?? dis_max ?? nested ?? constant_score ?? script_score ?? {};
  const { should = [], queries = should, minimum_should_match, ...others } = parts;
  const needed = [others.must, others.filter, others.query].flatMap<Clause>((part) => part ?? []);
  const left = queries.filter((one) => !isNothing(one));
  // Without clauses that must match, one of the others has to.
  const least = minimum_should_match ?? (needed.length > 0 ? 0 : Math.min(queries.length, 1));
  if (needed.some(isNothing) || left.length < least) return NOTHING;
  if (left.length === queries.length) return clause;
  if (dis_max) return left.length > 1 ? bestOf(left) : (left[0] ?? NOTHING);
  return { bool: { ...others, ...(left.length > 0 && { should: left, minimum_should_match }) } };
}

/** The parts of a clause that have others: all of these must match, except those of `should` and `queries`. */
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
