/** The search by place in the alphabet: finds the company nearest to a name, and its neighbours. */
import { squeezeName } from "../../index-mappings/companies/index.ts";
import { nameKey } from "../../index-mappings/names/company-name.ts";
import { allOf, type Clause, prefix } from "./clauses.ts";
import type { Ask } from "./define-search.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";

/** The parameters of the search. */
interface AlphabetQuery {
  q: string;
  size: number;
  /** Cursor: the page ends before this key. The published name, and the name that the original reads. */
  search_above?: string | undefined;
  search_before?: string | undefined;
  /** Cursor: the page begins after this key; again both names. */
  search_below?: string | undefined;
  search_after?: string | undefined;
}

/** Which companies are searched, and how far a key may be shortened. */
interface AlphabetRange {
  filters: Clause[];
  /** How many letters may be removed from the end of the query's key until some company's key begins with it. */
  lettersOff: number;
}

/** Consecutive entries of the alphabet, ascending. */
interface Run {
  hits: SearchHit[];
  /** Position of the first entry at or after the wanted place. */
  start: number;
  /** True when the run includes the first entry of the register. */
  isFirst: boolean;
  /** True when the run includes the last entry of the register. */
  isLast: boolean;
}

/** An entry of a run. */
interface Place {
  run: Run;
  position: number;
}

/** A search of a range, with pages of this size. */
type Search = AlphabetRange & { ask: Ask; size: number };

// Limit: a key is not shortened below this; too many names begin with one letter.
const LEAST_LETTERS = 2;

// Tuned: an equal key sorts after keys that continue with a digit (QUILLORY2 before QUILLORY). If there are more of
// these than this number, a second request is needed.
const DIGIT_NEIGHBOURS = 5;

/**
 * Fetches the top hit and the page around it or beside a cursor, in ascending order. The entries around the name's key
 * nearly always contain both. If no key begins with the name's key, a second request follows.
 */
export async function fetchAlphabetical(
  ask: Ask,
  query: AlphabetQuery,
  range: AlphabetRange,
): Promise<SearchResult> {
  const key = nameKey(query.q);
  if (key === "") return { total: 0, hits: [] };
  const search = { ...range, ask, size: query.size };
  const cursor = cursorOf(query);
  const beside = cursor ? [buildSide(...cursor, query.size, range.filters)] : [];
  const [above, from, side] = await ask(...buildRun(key, search), ...beside);
  const place = await findPlace(key, readRun(above, from, search), query.q, search);
  const top = place?.run.hits[place.position];
  if (!place || !top) return { total: 0, hits: [] };
  const hits = side?.hits ?? cutPage(place, query.size) ?? (await fetchAround(top, search));
  return { total: hits.length, hits: cursor?.[0] === "desc" ? hits.toReversed() : hits, top };
}

/** Finds the top hit: an equal key, else a key that begins with it, else the name as written, else a shortened key. */
async function findPlace(key: string, run: Run, q: string, search: Search): Promise<Place | null> {
  const equal = findEqual(run, key);
  if (equal !== -1) return { run, position: equal };
  const beginsHere = keyAt(run, run.start)?.startsWith(key) ?? false;
  if (!beginsHere) return findShortened(key, run, q, search);
  if (hasRoomForEqual(run, key)) return { run, position: run.start };
  // All keys of the run continue with a digit. An equal key, if it exists, sorts after all of these.
  const [above, from] = await search.ask(...buildRun(`${key}:`, search));
  const behind = readRun(above, from, search);
  const position = findEqual(behind, key);
  return position === -1 ? { run, position: run.start } : { run: behind, position };
}

/**
 * Shortens the key until some key begins with it. The keys that share the longest beginning with it are its neighbours
 * in the alphabet, so one request is enough instead of one per letter.
 */
async function findShortened(key: string, run: Run, q: string, search: Search): Promise<Place | null> {
  const beginning = commonBeginning(key, run, search.lettersOff);
  const asked = beginning ? buildRun(beginning, search) : [];
  const [written, above, from] = await search.ask(buildAsWritten(q, search), ...asked);
  const [asWritten] = written?.hits ?? [];
  if (asWritten) return { run: { hits: [asWritten], start: 0, isFirst: false, isLast: false }, position: 0 };
  return beginning ? findPlace(beginning, readRun(above, from, search), q, search) : null;
}

function commonBeginning(key: string, run: Run, lettersOff: number): string | undefined {
  const letters = [...key];
  const neighbours = [keyAt(run, run.start - 1), keyAt(run, run.start)];
  const common = Math.max(...neighbours.map((neighbour = "") => countCommon(letters, [...neighbour])));
  if (common < LEAST_LETTERS || letters.length - common > lettersOff) return undefined;
  return letters.slice(0, common).join("");
}

function countCommon(letters: string[], others: string[]): number {
  const first = letters.findIndex((letter, position) => letter !== others[position]);
  return first === -1 ? letters.length : first;
}

/** Position of the first equal key, which has the lowest number; -1 if there is none. */
function findEqual(run: Run, key: string): number {
  return run.hits.findIndex((_hit, position) => keyAt(run, position) === key);
}

/** True when the run reaches far enough to include an equal key, if one exists. */
function hasRoomForEqual(run: Run, key: string): boolean {
  const last = keyAt(run, run.hits.length - 1) ?? "";
  return run.isLast || !(last.startsWith(key) && /\d/.test(last.charAt(key.length)));
}

function keyAt({ hits }: Run, position: number): string | undefined {
  // The text after the last colon is the company number.
  return hits[position] && idKeyOf(hits[position]).replace(/:[^:]*$/, "");
}

function idKeyOf(hit: SearchHit): string {
  return String(hit.source.order_key_id);
}

/** The page around an entry, cut from its run; null when the run does not reach far enough. */
function cutPage({ run, position }: Place, size: number): SearchHit[] | null {
  const first = position - Math.floor(size / 2);
  const end = first + size;
  const isWithin = (first >= 0 || run.isFirst) && (end <= run.hits.length || run.isLast);
  return isWithin ? run.hits.slice(Math.max(first, 0), end) : null;
}

/** Fetches the page around an entry. */
async function fetchAround(top: SearchHit, { ask, filters, size }: Search): Promise<SearchHit[]> {
  const countAbove = Math.floor(size / 2);
  const [above, below] = await ask(
    buildSide("desc", idKeyOf(top), countAbove, filters),
    buildSide("asc", idKeyOf(top), size - 1 - countAbove, filters),
  );
  return [...(above?.hits ?? []).toReversed(), top, ...(below?.hits ?? [])];
}

/** Two query bodies: the entries before a place in the alphabet, and the entries from there on. */
function buildRun(place: string, { filters, size }: Search): [SearchBody, SearchBody] {
  const [above, from] = runSizes(size);
  return [buildSide("desc", place, above, filters), buildSide("asc", place, from, filters)];
}

function readRun(above: SearchResult | undefined, from: SearchResult | undefined, { size }: Search): Run {
  const [askedAbove, askedFrom] = runSizes(size);
  const before = above?.hits.toReversed() ?? [];
  const after = from?.hits ?? [];
  return {
    hits: [...before, ...after],
    start: before.length,
    isFirst: before.length < askedAbove,
    isLast: after.length < askedFrom,
  };
}

/** How many entries to fetch. At least one above: it shows how far a key may be shortened. */
function runSizes(size: number): [above: number, from: number] {
  const above = Math.floor(size / 2);
  return [Math.max(above, 1), size - above + DIGIT_NEIGHBOURS];
}

/** One cursor selects the page on its side. No cursor, or both, select the page around the top hit. */
function cursorOf(query: AlphabetQuery): [order: "asc" | "desc", key: string] | undefined {
  const { search_above = query.search_before, search_below = query.search_after } = query;
  if (search_above && search_below) return undefined;
  if (search_above) return ["desc", search_above];
  return search_below ? ["asc", search_below] : undefined;
}

/** Finds the first entry whose name begins with the text, ignoring letter case and spaces. */
function buildAsWritten(q: string, { filters }: Search): SearchBody {
  const query = allOf([prefix("squeezed", squeezeName(q)), ...filters]);
  return { query, sort: [{ order_key_id: "asc" }], size: 1, ...SHOWN };
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

// The answer has no total, so the engine need not count beyond the page.
const SHOWN = { _source: ["shown", "order_key_id"], track_total_hits: false };
