/** Owns the search by place in the alphabet: the company that a name leads to, and its neighbours. */
import { squeezeName } from "../../index-mappings/companies/document.ts";
import { nameKey } from "../../index-mappings/names/company-name.ts";
import { bestOf, type Clause, constant, prefix, term, within } from "./clauses.ts";
import type { Ask, SearchBody, SearchHit, SearchResult } from "./define-search.ts";

/** What is asked for. */
export interface AlphabetQuery {
  q: string;
  size: number;
  /** Key before whose entries the page ends; the published and the original's name of the parameter. */
  search_above?: string | undefined;
  search_before?: string | undefined;
  /** Key after whose entries the page begins. */
  search_below?: string | undefined;
  search_after?: string | undefined;
}

/** The part of the register that is searched, and how far. */
export interface AlphabetRange {
  filters: Clause[];
  /** Most letters that are taken off the end of a key that nothing begins with. */
  lettersOff: number;
}

// Limit: a key is not shortened to less; nearly all of the register begins with any one letter.
const LEAST_LETTERS = 2;

/** Fetches the top hit and the page round it or beside a cursor, ascending. */
export async function fetchAlphabetical(
  ask: Ask,
  query: AlphabetQuery,
  range: AlphabetRange,
): Promise<SearchResult> {
  const top = await fetchTop(ask, query.q, range);
  if (!top) return { total: 0, hits: [] };
  const hits = await fetchPage(ask, query, top, range);
  return { total: hits.length, hits, top };
}

async function fetchTop(ask: Ask, q: string, range: AlphabetRange): Promise<SearchHit | undefined> {
  const key = nameKey(q);
  if (key === "") return undefined;
  const asWritten = constant(prefix("squeezed", squeezeName(q)), 1);
  const { hits } = await ask(buildFirst([...clausesOf(key), asWritten], range));
  if (hits[0]) return hits[0];
  const beginning = await fetchBeginning(ask, key, range);
  return beginning ? (await ask(buildFirst(clausesOf(beginning), range))).hits[0] : undefined;
}

/** An equal key before one that begins so. */
function clausesOf(key: string): Clause[] {
  return [constant(term("order_key", key), 3), constant(prefix("order_key", key), 2)];
}

/**
 * What is left of a key when letters are taken off its end until another key begins so. The keys that have most
 * of it in common stand beside it in the order of keys: two questions instead of one per letter.
 */
async function fetchBeginning(
  ask: Ask,
  key: string,
  { filters, lettersOff }: AlphabetRange,
): Promise<string | undefined> {
  const answers = await Promise.all([
    ask(buildNearest({ gte: key }, "asc", filters)),
    ask(buildNearest({ lt: key }, "desc", filters)),
  ]);
  const letters = [...key];
  const neighbours = answers.flatMap(({ hits }) => hits.map((hit) => String(hit.source.order_key)));
  const kept = Math.max(0, ...neighbours.map((neighbour) => countCommon(letters, [...neighbour])));
  if (kept < LEAST_LETTERS || letters.length - kept > lettersOff) return undefined;
  return letters.slice(0, kept).join("");
}

function countCommon(letters: string[], others: string[]): number {
  const first = letters.findIndex((letter, position) => letter !== others[position]);
  return first === -1 ? letters.length : first;
}

/** One cursor gives the side it names, neither or both the window round the top hit. */
async function fetchPage(
  ask: Ask,
  query: AlphabetQuery,
  top: SearchHit,
  { filters }: AlphabetRange,
): Promise<SearchHit[]> {
  const { size, search_above = query.search_before, search_below = query.search_after } = query;
  const fetchSide = async (order: "asc" | "desc", cursor: string, count: number) =>
    count > 0 ? (await ask(buildSide(order, cursor, count, filters))).hits : [];
  if (search_above && !search_below) return (await fetchSide("desc", search_above, size)).toReversed();
  if (search_below && !search_above) return fetchSide("asc", search_below, size);
  const topKey = String(top.source.order_key_id);
  const countAbove = Math.floor(size / 2);
  const [above, below] = await Promise.all([
    fetchSide("desc", topKey, countAbove),
    fetchSide("asc", topKey, size - 1 - countAbove),
  ]);
  return [...above.toReversed(), top, ...below];
}

/** Of the best clause that holds anywhere, the first entry in the order of keys and numbers. */
function buildFirst(clauses: Clause[], { filters }: AlphabetRange): SearchBody {
  return {
    query: within(bestOf(clauses), filters),
    sort: [{ _score: "desc" }, { order_key_id: "asc" }],
    size: 1,
    ...SHOWN,
  };
}

function buildNearest(range: Clause, order: "asc" | "desc", filters: Clause[]): SearchBody {
  return {
    query: { bool: { filter: [{ range: { order_key: range } }, ...filters] } },
    sort: [{ order_key: order }],
    size: 1,
    _source: ["order_key"],
    track_total_hits: false,
  };
}

function buildSide(order: "asc" | "desc", cursor: string, size: number, filters: Clause[]): SearchBody {
  return {
    query: filters.length > 0 ? { bool: { filter: filters } } : { match_all: {} },
    sort: [{ order_key_id: order }],
    search_after: [cursor],
    size,
    ...SHOWN,
  };
}

// No total is promised; without one the engine stops once it has the page.
const SHOWN = { _source: ["shown", "order_key_id"], track_total_hits: false };
