/** Owns the search by place in the alphabet: the company that a name leads to, and its neighbours. */
import { squeezeName } from "../../index-mappings/companies/document.ts";
import { nameKey } from "../../index-mappings/names/company-name.ts";
import { allOf, type Clause, prefix } from "./clauses.ts";
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

/** Neighbours in the alphabet, ascending and without a gap. */
interface Run {
  hits: SearchHit[];
  /** Position of the first entry from the place asked for on. */
  start: number;
  /** Whether it begins and ends where the register does. */
  isFirst: boolean;
  isLast: boolean;
}

/** An entry in its run. */
interface Place {
  run: Run;
  position: number;
}

type Asker = AlphabetRange & { ask: Ask; size: number };

// Limit: a key is not shortened to less; nearly all of the register begins with any one letter.
const LEAST_LETTERS = 2;

// Tuned: an equal key stands behind those that go on with a digit (QUILLORY2 before QUILLORY); more than so many
// of them cost a second request.
const DIGIT_NEIGHBOURS = 5;

/**
 * Fetches the top hit and the page round it or beside a cursor, ascending. What stands round the key of the
 * name nearly always holds both, so that one request will do; a second one follows where no key begins so.
 */
export async function fetchAlphabetical(
  ask: Ask,
  query: AlphabetQuery,
  range: AlphabetRange,
): Promise<SearchResult> {
  const key = nameKey(query.q);
  if (key === "") return { total: 0, hits: [] };
  const asker = { ...range, ask, size: query.size };
  const beside = buildBeside(query, asker);
  const [above, from, side] = await ask(...buildRun(key, asker), ...(beside ? [beside.body] : []));
  const place = await findPlace(key, readRun(above, from, asker), query.q, asker);
  const top = place?.run.hits[place.position];
  if (!place || !top) return { total: 0, hits: [] };
  const hits = beside
    ? readSide(beside, side)
    : (cutPage(place, query.size) ?? (await fetchRound(top, asker)));
  return { total: hits.length, hits, top };
}

/** An equal key before one that begins so, before a name as it is written, before a shortened key. */
async function findPlace(key: string, run: Run, q: string, asker: Asker): Promise<Place | null> {
  const equal = findEqual(run, key);
  if (equal !== -1) return { run, position: equal };
  const beginsHere = keyAt(run, run.start)?.startsWith(key) ?? false;
  if (!beginsHere) return findShortened(key, run, q, asker);
  if (hasRoomForEqual(run, key)) return { run, position: run.start };
  // A run of nothing but digits behind the key: the equal key, if there is one, stands behind them all.
  const [above, from] = await asker.ask(...buildRun(`${key}:`, asker));
  const behind = readRun(above, from, asker);
  const position = findEqual(behind, key);
  return position === -1 ? { run, position: run.start } : { run: behind, position };
}

/**
 * What is left of a key when letters are taken off its end until another key begins so. The keys that have most
 * of it in common stand beside it in the order of keys: one question instead of one per letter.
 */
async function findShortened(key: string, run: Run, q: string, asker: Asker): Promise<Place | null> {
  const beginning = commonBeginning(key, run, asker.lettersOff);
  const asked = beginning ? buildRun(beginning, asker) : [];
  const [written, above, from] = await asker.ask(buildAsWritten(q, asker), ...asked);
  const [asWritten] = written?.hits ?? [];
  if (asWritten) return { run: { hits: [asWritten], start: 0, isFirst: false, isLast: false }, position: 0 };
  return beginning ? findPlace(beginning, readRun(above, from, asker), q, asker) : null;
}

function commonBeginning(key: string, run: Run, lettersOff: number): string | undefined {
  const letters = [...key];
  const neighbours = [keyAt(run, run.start - 1), keyAt(run, run.start)];
  const kept = Math.max(...neighbours.map((neighbour = "") => countCommon(letters, [...neighbour])));
  if (kept < LEAST_LETTERS || letters.length - kept > lettersOff) return undefined;
  return letters.slice(0, kept).join("");
}

function countCommon(letters: string[], others: string[]): number {
  const first = letters.findIndex((letter, position) => letter !== others[position]);
  return first === -1 ? letters.length : first;
}

/** Of equal keys the lowest number stands first. */
function findEqual(run: Run, key: string): number {
  return run.hits.findIndex((_hit, position) => keyAt(run, position) === key);
}

/** True when an equal key, if there were one, would be in the run. */
function hasRoomForEqual(run: Run, key: string): boolean {
  const last = keyAt(run, run.hits.length - 1) ?? "";
  return run.isLast || !(last.startsWith(key) && /\d/.test(last.charAt(key.length)));
}

function keyAt({ hits }: Run, position: number): string | undefined {
  // The number behind the last colon is no part of the key.
  return hits[position] && idKeyOf(hits[position]).replace(/:[^:]*$/, "");
}

function idKeyOf(hit: SearchHit): string {
  return String(hit.source.order_key_id);
}

/** The window round an entry; null when the run does not reach so far. */
function cutPage({ run, position }: Place, size: number): SearchHit[] | null {
  const first = position - Math.floor(size / 2);
  const end = first + size;
  const isWithin = (first >= 0 || run.isFirst) && (end <= run.hits.length || run.isLast);
  return isWithin ? run.hits.slice(Math.max(first, 0), end) : null;
}

/** The window round an entry that stands alone. */
async function fetchRound(top: SearchHit, { ask, filters, size }: Asker): Promise<SearchHit[]> {
  const countAbove = Math.floor(size / 2);
  const [above, below] = await ask(
    buildSide("desc", idKeyOf(top), countAbove, filters),
    buildSide("asc", idKeyOf(top), size - 1 - countAbove, filters),
  );
  return [...(above?.hits ?? []).toReversed(), top, ...(below?.hits ?? [])];
}

/** What stands before a place in the alphabet and from it on. */
function buildRun(place: string, { filters, size }: Asker): [SearchBody, SearchBody] {
  const [above, from] = runSizes(size);
  return [buildSide("desc", place, above, filters), buildSide("asc", place, from, filters)];
}

function readRun(above: SearchResult | undefined, from: SearchResult | undefined, { size }: Asker): Run {
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

/** At least one above: it tells how far a key may be shortened. */
function runSizes(size: number): [above: number, from: number] {
  const above = Math.floor(size / 2);
  return [Math.max(above, 1), size - above + DIGIT_NEIGHBOURS];
}

/** A page beside a cursor. */
interface Beside {
  order: "asc" | "desc";
  body: SearchBody;
}

/** One cursor gives the side it names, neither or both the window round the top hit. */
function buildBeside(query: AlphabetQuery, { filters, size }: Asker): Beside | undefined {
  const { search_above = query.search_before, search_below = query.search_after } = query;
  if (search_above && search_below) return undefined;
  if (search_above) return { order: "desc", body: buildSide("desc", search_above, size, filters) };
  return search_below ? { order: "asc", body: buildSide("asc", search_below, size, filters) } : undefined;
}

function readSide({ order }: Beside, side: SearchResult | undefined): SearchHit[] {
  const hits = side?.hits ?? [];
  return order === "desc" ? hits.toReversed() : hits;
}

/** The first entry whose name, letter case and spaces apart, begins as the text does. */
function buildAsWritten(q: string, { filters }: Asker): SearchBody {
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

// No total is promised; without one the engine stops once it has the page.
const SHOWN = { _source: ["shown", "order_key_id"], track_total_hits: false };
