/**
 * Owns near words in query bodies: clauses for words and keys within a few edits, scored by the total number of edits, and the
 * look-up of the words of the register that are near those of a query, before its body is sent.
 */
import { LRUCache } from "lru-cache";
import { type Clause, constant, NOTHING, prefix, prune, QUERY_WORDS, term } from "./clauses.ts";
import {
  isInitial,
  MOST_EDITS,
  editsAllowed,
  editsWhereSought,
  letterBits,
  mayBeWithin,
  formsOfTyped,
  MOST_FOUND,
} from "../shared/values/nearness.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import type { SearchLimits } from "../shared/stores/elasticsearch/search.ts";
import type { IndexAlias } from "../shared/definitions/define-index.ts";
import type { Ask } from "./define-search.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";

// Tuned: a power of two, so that sums are exact and names with as many edits score the same: then the status
// decides. With scores by share of the shorter word, HAVERSTOLLE (dissolved) came before HAVERSTOL (active)
// for `haverstole`. Half as much would still be above what separates equals; twice as much would reach the next kind.
const EDIT_SCORE = 1 / 16;
/** The score of a word without any edit. */
export const AS_SPELT_SCORE = MOST_EDITS * EDIT_SCORE;
// No query has more edits in total than this, so no score is below zero.
const ALL_EDITS = MOST_EDITS * QUERY_WORDS;

/**
 * Tuned: spellings of one word, the nearest first; those beyond are not found. Among 300,000 companies 50 and 200 took the
 * engine as long, all of them eight times that.
 */
const SPELLINGS = 200;

/** Limit: a key this short is near too many others for a search of near spellings. */
export const SHORT_KEY = 5;

// Limit: in longer keys one edit is forgiven at most. What a second one costs the engine grows with the letters, and their
// words are found near theirs, too.
const TWO_EDITS_CHARACTERS = 64;

// Limit: a longer word or key is found only as spelt. Names have 160 characters; signs that are each written as
// many letters make a key of thousands, and the engine took seconds to find keys near it.
const NEAR_CHARACTERS = 255;

// Searches with near spellings are the expensive ones: with a thread of the engine for each index, a few of them would keep
// all of its threads from the searches of others.
const SHARDS_AT_ONCE = 1;

/**
 * A text with a near match for each of the words that take part; fewer edits over all of them score higher.
 * `near` makes the clause of one word.
 */
export function nearWords(field: string, queryWords: string[], near = nearWord): Clause {
  const words = queryWords.slice(0, QUERY_WORDS);
  const rest = constant({ match_all: {} }, (ALL_EDITS - MOST_EDITS * words.length) * EDIT_SCORE);
  return { bool: { must: [...words.map((word) => near(field, word)), rest] } };
}

/** A keyword within this many edits of this one, fewer where it is long, on the same scale. */
export function nearKey(field: string, key: string, edits: number): Clause {
  const most = key.length > TWO_EDITS_CHARACTERS ? Math.min(edits, 1) : edits;
  const levels = Array.from({ length: most + 1 }, (_, within) => ({
    edits: within,
    filter: withinEdits(field, key, within),
  }));
  return scoreEdits(levels, ALL_EDITS - MOST_EDITS);
}

/** Names that count as so many edits away, on the same scale. */
export function asEdits(filter: Clause, edits: number): Clause {
  return constant(filter, (ALL_EDITS - edits) * EDIT_SCORE);
}

/** A keyword that differs by a letter at most. */
export function byALetter(field: string, key: string): Clause {
  return withinEdits(field, key, 1);
}

/** A word near this one; a single letter may be the first of a word: `J` for JANE. */
export function nearWordOrInitial(field: string, word: string): Clause {
  if (!isInitial(word)) return nearWord(field, word);
  return constant(prefix(field, word), AS_SPELT_SCORE);
}

/** The word itself, on the same scale. */
export function wordAsSpelt(field: string, word: string): Clause {
  return constant(term(field, word), AS_SPELT_SCORE);
}

/** A near match of one word; the near words are looked up before the search is sent. */
export function nearWord(field: string, word: string): Clause {
  return { near_spelling: { field, word } } satisfies NearSpelling;
}

/** In a query body, the placeholder of a clause for near words; not a query of the engine. */
interface NearSpelling {
  near_spelling: { field: string; word: string };
}

/** Words of the register by number of edits: the word itself, those one edit away, and so on, up to the limit. */
type Spellings = readonly (readonly string[])[];

/** True for the placeholder of a near spelling. */
function isSpelling(node: object): node is NearSpelling {
  return "near_spelling" in node;
}

/** The clause for a word's near spellings; the fewer edits, the higher the score. */
function spellingClause({ near_spelling: { field } }: NearSpelling, byEdits: Spellings): Clause {
  const levels = byEdits.flatMap((words, edits): Level[] =>
    words.length === 0 ? [] : [{ edits, filter: { terms: { [field]: byEdits.slice(0, edits + 1).flat() } } }],
  );
  return scoreEdits(levels, 0);
}

/** What is within this many edits. */
interface Level {
  edits: number;
  filter: Clause;
}

/** Within the edits of the last level; each unused one adds to the least score. Without levels nothing matches. */
function scoreEdits(levels: readonly Level[], least: number): Clause {
  const furthest = levels.at(-1);
  if (!furthest) return NOTHING;
  const all = constant(furthest.filter, (least + MOST_EDITS - furthest.edits) * EDIT_SCORE);
  // Each adds what it is nearer than the next one.
  const lifts = levels.slice(1).map(({ edits }, place) => {
    const { edits: nearer, filter } = levels[place] ?? furthest;
    return constant(filter, (edits - nearer) * EDIT_SCORE);
  });
  return lifts.length === 0 ? all : { bool: { must: [all], should: lifts } };
}

/**
 * A keyword that nearly begins with this: one letter more or less, another letter, or two swapped. Elasticsearch
 * has no query for it; no letter of a key has a meaning in a pattern.
 */
export function nearBeginning(field: string, value: string): Clause {
  const letters = [...value];
  const spellings = letters.flatMap((letter, position) => {
    const [before, after] = [letters.slice(0, position).join(""), letters.slice(position + 1).join("")];
    const [next = "", ...rest] = letters.slice(position + 1);
    return [
      `${before}.?${after}`,
      `${before}.${letter}${after}`,
      `${before}${next}${letter}${rest.join("")}`,
    ];
  });
  return { regexp: { [field]: { value: `(${spellings.join("|")}).*` } } };
}

function withinEdits(field: string, value: string, edits: number): Clause {
  if (edits === 0 || value.length > NEAR_CHARACTERS) return term(field, value);
  // The engine's default rewrite, which looks up the spellings once: `constant_score`, which makes one list of documents,
  // builds the automaton of a long key anew for each segment, which took five times as long with 14 of them.
  return { fuzzy: { [field]: { value, fuzziness: edits, max_expansions: SPELLINGS } } };
}

// Words that the register was seen to have. It steers only what is looked up early: where it has all of a query, that is rarely
// misspelt. Tuned: an exact name took a fifth of a millisecond longer where its words were looked up beside it.
const seen = new LRUCache<string, true>({ max: 20_000 });

/**
 * Sends bodies to these indices. Near spellings in them are looked up first, for all words in one request: the engine finds
 * a list of words far sooner than the words near one. What then can match nothing is left out. To be opened for each request,
 * since it keeps what it has looked up. `isAlone`: words not seen before are looked up as soon
 * as they are expected.
 */
export function askWithSpellings(
  elasticsearch: SearchStore,
  indices: readonly IndexAlias[],
  { isAlone = false, ...limits }: Pick<SearchLimits, "budget" | "isCached"> & { isAlone?: boolean } = {},
): Ask {
  const spelt = new Map<string, Spellings>();
  let expected: Promise<LookUp | undefined> | undefined;
  const lookUp = async (words: Iterable<string>): Promise<LookUp> => {
    const formsOf = new Map(Array.from(words, (word) => [word, formsOfTyped(word)]));
    const forms = new Set([...formsOf.values()].flat());
    const found = new Set(forms.size > 0 ? await elasticsearch.words.fetch([...forms], limits.budget) : []);
    for (const [word, own] of formsOf) if (found.has(word) || own.length === 0) seen.set(word, true);
    return { formsOf, found };
  };
  const ask = async (...bodies: SearchBody[]) => {
    const words = new Set<string>();
    for (const body of bodies) addWordsIn(body, words);
    if (words.size === 0) return elasticsearch.search(indices, bodies, limits);
    const early = await expected;
    expected = undefined;
    // Too many words were found to see them all: of fewer words perhaps not.
    if (early && early.found.size < MOST_FOUND) compare(early, spelt);
    const unknown = [...words].filter((word) => !spelt.has(word));
    if (unknown.length > 0) compare(await lookUp(unknown), spelt);
    const asked = bodies.map((body) => withSpellings(body, spelt) as SearchBody);
    return elasticsearch.search(indices, asked, { ...limits, shardsAtOnce: SHARDS_AT_ONCE });
  };
  const expect = (words: string[]) => {
    if (words.every((word) => seen.has(word))) return;
    // Its failure is that of no search yet: words that are needed are looked up again.
    expected = lookUp(new Set(words)).catch(() => undefined);
  };
  return isAlone ? Object.assign(ask, { expect }) : ask;
}

/** Words that were looked up, with their forms, and the words of the register that have one of these. */
interface LookUp {
  formsOf: ReadonlyMap<string, string[]>;
  found: ReadonlySet<string>;
}

/** Adds the spellings of the words that were looked up. */
function compare({ formsOf, found }: LookUp, spelt: Map<string, Spellings>): void {
  const candidates = Array.from(found, (word) => ({ word, bits: letterBits(word) }));
  for (const [word, own] of formsOf) {
    // One that was not looked up, or is perhaps not among the first of too many, may be there.
    const mayBeThere = found.has(word) || own.length === 0 || found.size >= MOST_FOUND;
    spelt.set(word, firstOf([mayBeThere ? [word] : [], ...nearOf(word, candidates)]));
  }
}

interface Candidate {
  word: string;
  bits: number;
}

/** Those of the candidates that are near a word, by edits from one. */
function nearOf(word: string, candidates: readonly Candidate[]): string[][] {
  const most = editsAllowed(word);
  const bits = letterBits(word);
  const byEdits: string[][] = Array.from({ length: most }, () => []);
  for (const candidate of candidates) {
    // A query has several words, and each found word is near one of them: a look at the letters saves most comparisons.
    if (!mayBeWithin(most, bits, candidate.bits)) continue;
    const edits = editsWhereSought(word, candidate.word);
    if (edits > 0) byEdits[edits - 1]?.push(candidate.word);
  }
  return byEdits;
}

/** As many as are looked for, the nearest first. */
function firstOf(byEdits: readonly string[][]): Spellings {
  let left = SPELLINGS;
  return byEdits.map((words) => {
    const some = words.slice(0, left);
    left -= some.length;
    return some;
  });
}

/** With for-in, since every body of every search is walked: with arrays in between it took ten times as long. */
function addWordsIn(node: object, words: Set<string>): void {
  if (isSpelling(node)) {
    words.add(node.near_spelling.word);
    return;
  }
  for (const name in node) {
    const value: unknown = node[name as keyof typeof node];
    if (typeof value === "object" && value !== null) addWordsIn(value, words);
  }
}

/** A body without near spellings stays the same object. */
function withSpellings(node: object, spelt: ReadonlyMap<string, Spellings>): object {
  if (isSpelling(node)) return spellingClause(node, spelt.get(node.near_spelling.word) ?? []);
  let copy: Record<string, unknown> | undefined;
  for (const name in node) {
    const value: unknown = node[name as keyof typeof node];
    if (typeof value !== "object" || value === null) continue;
    const changed = withSpellings(value, spelt);
    if (changed === value) continue;
    copy ??= (Array.isArray(node) ? [...(node as unknown[])] : { ...node }) as Record<string, unknown>;
    copy[name] = changed;
  }
  if (!copy) return node;
  return Array.isArray(copy) ? copy : prune(copy);
}
