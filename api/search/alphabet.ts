/** Owns the search by place in the alphabet: the company nearest to a name, and its neighbours. */
import { squeezeName } from "../../index-mappings/companies/index.ts";
import { nameKey } from "../../index-mappings/names/company-name.ts";
import { allOf, type Clause, prefix, term } from "./clauses.ts";
import type { Ask } from "./define-search.ts";
import type { SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";

/** The search. */
export interface AlphabetQuery {
  q: string;
  size: number;
  /** Cursor: the page ends before this key. The published name of the parameter and the original's. */
  search_above?: string | undefined;
  search_before?: string | undefined;
  /** Cursor: the page begins after this key. */
  search_below?: string | undefined;
  search_after?: string | undefined;
}

/** The part of the register that is searched, and how far. */
export interface AlphabetRange {
  filters: Clause[];
  /** Most letters that may be removed from the end of a key that no other key begins with. */
  lettersOff: number;
}

type Asker = AlphabetRange & { ask: Ask; size: number };

// Limit: a key is not shortened to less; a single letter begins too large a part of the register.
const LEAST_LETTERS = 2;

/**
 * Fetches the top hit and the page around it or beside a cursor, ascending. The neighbours of the name's key are nearly always
 * that page, so one request is enough.
 */
export async function fetchAlphabetical(
  ask: Ask,
  query: AlphabetQuery,
  range: AlphabetRange,
): Promise<SearchResult> {
  const key = nameKey(query.q);
  if (key === "") return { total: 0, hits: [] };
  const { size } = query;
  const asker = { ...range, ask, size };
  const half = Math.floor(size / 2);
  const cursor = cursorOf(query);
  const [[equal] = [], above = [], from = [], side = []] = await fetchHits(
    asker,
    buildEqual(key, asker),
    // At least one before it: it shows how far a key may be shortened.
    buildSide("desc", key, Math.max(half, 1), asker),
    buildSide("asc", key, size - half, asker),
    ...(cursor ? [buildSide(cursor.order, cursor.place, size, asker)] : []),
  );
  const [next] = from;
  const begins = next && keyOf(next).startsWith(key) ? next : undefined;
  const top = equal ?? begins ?? (await findShortened(key, [above[0], next], query.q, asker));
  if (!top) return { total: 0, hits: [] };
  const show = (hits: SearchHit[]) => ({ total: hits.length, hits, top });
  if (cursor) return show(cursor.order === "desc" ? side.toReversed() : side);
  if (top.id === next?.id) return show([...above.slice(0, half).toReversed(), ...from]);
  return show(await fetchRound(top, asker));
}

/**
 * The name as written or, by its key without letters at the end, an equal key or one that begins with it. The keys with the
 * longest common beginning are its neighbours in the order of keys: one request instead of one per letter.
 */
async function findShortened(
  key: string,
  neighbours: (SearchHit | undefined)[],
  q: string,
  asker: Asker,
): Promise<SearchHit | undefined> {
  const letters = [...key];
  const common = Math.max(...neighbours.map((hit) => countCommon(letters, hit ? [...keyOf(hit)] : [])));
  const isFar = common < LEAST_LETTERS || letters.length - common > asker.lettersOff;
  const beginning = letters.slice(0, common).join("");
  const shortened = isFar ? [] : [buildEqual(beginning, asker), buildSide("asc", beginning, 1, asker)];
  const [first] = (await fetchHits(asker, buildAsWritten(q, asker), ...shortened)).flat();
  return first;
}

function countCommon(letters: string[], others: string[]): number {
  const first = letters.findIndex((letter, position) => letter !== others[position]);
  return first === -1 ? letters.length : first;
}

/** The window around a single entry. */
async function fetchRound(top: SearchHit, asker: Asker): Promise<SearchHit[]> {
  const before = Math.floor(asker.size / 2);
  const after = asker.size - 1 - before;
  const [above = [], below = []] = await fetchHits(
    asker,
    // The engine goes on from a place with one hit at least.
    buildSide("desc", idKeyOf(top), Math.max(before, 1), asker),
    buildSide("asc", idKeyOf(top), Math.max(after, 1), asker),
  );
  return [...above.slice(0, before).toReversed(), top, ...below.slice(0, after)];
}

async function fetchHits({ ask }: Asker, ...bodies: SearchBody[]): Promise<SearchHit[][]> {
  return (await ask(...bodies)).map(({ hits }) => hits);
}

function keyOf(hit: SearchHit): string {
  // The number after the last colon is not part of the key.
  return idKeyOf(hit).replace(/:[^:]*$/, "");
}

function idKeyOf(hit: SearchHit): string {
  return String(hit.source.order_key_id);
}

/** One cursor selects the side it names; neither or both select the window around the top hit. */
function cursorOf(query: AlphabetQuery): { order: "asc" | "desc"; place: string } | undefined {
  const { search_above: above = query.search_before, search_below: below = query.search_after } = query;
  if (above && below) return undefined;
  if (above) return { order: "desc", place: above };
  return below ? { order: "asc", place: below } : undefined;
}

/** Of equal keys the lowest number comes first. An equal key is not beside its place: QUILLORY2 sorts before QUILLORY. */
function buildEqual(key: string, { filters }: Asker): SearchBody {
  return buildFirst([term("order_key", key), ...filters]);
}

/** The first entry whose name begins with the text, ignoring letter case and spaces. */
function buildAsWritten(q: string, { filters }: Asker): SearchBody {
  return buildFirst([prefix("squeezed", squeezeName(q)), ...filters]);
}

function buildFirst(conditions: Clause[]): SearchBody {
  return { query: allOf(conditions), sort: [{ order_key_id: "asc" }], size: 1, ...SHOWN };
}

function buildSide(order: "asc" | "desc", place: string, size: number, { filters }: Asker): SearchBody {
  return {
    query: filters.length > 0 ? { bool: { filter: filters } } : { match_all: {} },
    sort: [{ order_key_id: order }],
    search_after: [place],
    size,
    ...SHOWN,
  };
}

// The answer has no total, so the engine may stop once it has the page.
const SHOWN = { _source: ["shown", "order_key_id"], track_total_hits: false };
