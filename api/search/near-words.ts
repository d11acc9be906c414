/**
 * Near spellings in query bodies: clauses for words and keys within a few edits, scored by the total number of edits;
 * and the look-up of near words in the register, which replaces placeholders in a body before it is sent.
 */
import { LRUCache } from "lru-cache";
import { type Clause, constant, NOTHING, prefix, prune, QUERY_WORDS, term } from "./clauses.ts";
import {
  isInitial,
  MOST_EDITS,
  editsAllowed,
  editsInSearch,
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

// Tuned: a power of two, so that sums are exact and names with equally many edits score the same: then the status
// decides. When the score was a share of the shorter word, HAVERSTOLLE (dissolved) came before HAVERSTOL (active) for
// `haverstole`. Half of it would still outweigh what separates equals; twice as much would reach the next kind.
const EDIT_SCORE = 1 / 16;
/** The score of a word without any edit. */
export const AS_SPELT_SCORE = MOST_EDITS * EDIT_SCORE;
// The most edits that a whole query can have. Scores count down from here, so none is below zero.
const ALL_EDITS = MOST_EDITS * QUERY_WORDS;

/**
 * Tuned: spellings of one word that are searched, the nearest first; others are not found. Among 300,000 companies the
 * engine took equally long for 50 and for 200 spellings, and eight times as long for all of them.
 */
const SPELLINGS = 200;

/** Limit: a key of this length or less is near too many others, so its near spellings are not searched. */
export const SHORT_KEY = 5;

// Limit: a longer key may have one edit at most. The cost of a second edit grows with the letters, and a longer name is
// also found by near spellings of its words.
const TWO_EDITS_CHARACTERS = 64;

// Limit: a longer word or key is found only as spelt. Names have up to 160 characters, but signs that are written out
// as words can make a key of thousands, and the engine took seconds to find keys near it.
const NEAR_CHARACTERS = 255;

// Searches with near spellings are expensive. If each used a thread of the engine per index, a few of them would occupy
// all threads, and other searches would wait.
const SHARDS_AT_ONCE = 1;

/** A text with a near match of each word; fewer edits in all score higher. `near` makes the clause of a word. */
export function nearWords(field: string, queryWords: string[], near = nearWord): Clause {
  const words = queryWords.slice(0, QUERY_WORDS);
  const rest = constant({ match_all: {} }, (ALL_EDITS - MOST_EDITS * words.length) * EDIT_SCORE);
  return { bool: { must: [...words.map((word) => near(field, word)), rest] } };
}

/** A keyword within this many edits of the key (one, if the key is long), scored like `nearWords`. */
export function nearKey(field: string, key: string, edits: number): Clause {
  const most = key.length > TWO_EDITS_CHARACTERS ? Math.min(edits, 1) : edits;
  const levels = Array.from({ length: most + 1 }, (_, within) => ({
    edits: within,
    filter: withinEdits(field, key, within),
  }));
  return scoreEdits(levels, ALL_EDITS - MOST_EDITS);
}

/** Matches of the filter count as this many edits away, scored like `nearWords`. */
export function asEdits(filter: Clause, edits: number): Clause {
  return constant(filter, (ALL_EDITS - edits) * EDIT_SCORE);
}

/** A keyword that differs from the key by one edit at most. */
export function byALetter(field: string, key: string): Clause {
  return withinEdits(field, key, 1);
}

/** A word near this one. A single letter matches words that begin with it: `J` finds JANE. */
export function nearWordOrInitial(field: string, word: string): Clause {
  if (!isInitial(word)) return nearWord(field, word);
  return constant(prefix(field, word), AS_SPELT_SCORE);
}

/** The word itself, scored like a near word without edits. */
export function wordAsSpelt(field: string, word: string): Clause {
  return constant(term(field, word), AS_SPELT_SCORE);
}

/** A near match of one word: a placeholder, which `askWithSpellings` replaces by the near words of the register. */
export function nearWord(field: string, word: string): Clause {
  return { near_spelling: { field, word } } satisfies NearSpelling;
}

/** The placeholder of a clause for near words. It is not a query of the engine. */
interface NearSpelling {
  near_spelling: { field: string; word: string };
}

/** Words of the register by number of edits: the word itself, then words one edit away, and so on; SPELLINGS in all. */
type Spellings = readonly (readonly string[])[];

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

/** A filter for all that is within this many edits. */
interface Level {
  edits: number;
  filter: Clause;
}

/** Matches within the edits of the last level. Each edit less adds to `least`. No levels match nothing. */
function scoreEdits(levels: readonly Level[], least: number): Clause {
  const furthest = levels.at(-1);
  if (!furthest) return NOTHING;
  const all = constant(furthest.filter, (least + MOST_EDITS - furthest.edits) * EDIT_SCORE);
  // A nearer level adds to the score what sets it apart from the next one.
  const lifts = levels.slice(1).map(({ edits }, place) => {
    const { edits: nearer, filter } = levels[place] ?? furthest;
    return constant(filter, (edits - nearer) * EDIT_SCORE);
  });
  return lifts.length === 0 ? all : { bool: { must: [all], should: lifts } };
}

/**
 * A keyword that begins with the value or with a near spelling of it: a letter more, less or different, or two swapped.
 * Elasticsearch has no such query, so it is a pattern. The value must have no sign with a meaning in patterns.
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
  // With the engine's default rewrite, which looks up the spellings once. The rewrite `constant_score` builds the
  // automaton of the key again for each segment: with a long key and 14 segments that took five times as long.
  return { fuzzy: { [field]: { value, fuzziness: edits, max_expansions: SPELLINGS } } };
}

// Words that the register is known to have. A query of only such words is rarely misspelt, so its words are not looked
// up early. Tuned: an exact name took a fifth of a millisecond longer when its words were looked up beside it.
const knownWords = new LRUCache<string, true>({ max: 20_000 });

/**
 * Returns an `Ask` for these indices, which first looks up the near spellings in bodies: all words in one request,
 * since the engine finds a list of words far sooner than words near one. It drops clauses that then match nothing. Open
 * one per request, since it keeps its look-ups. `isAlone`: no other search runs, so expected words are looked up early.
 */
export function askWithSpellings(
  elasticsearch: SearchStore,
  indices: readonly IndexAlias[],
  { isAlone = false, ...limits }: Pick<SearchLimits, "budget" | "isCached"> & { isAlone?: boolean } = {},
): Ask {
  const spellings = new Map<string, Spellings>();
  let expected: Promise<LookUp | undefined> | undefined;
  const lookUp = async (words: Iterable<string>): Promise<LookUp> => {
    const formsOf = new Map(Array.from(words, (word) => [word, formsOfTyped(word)]));
    const forms = new Set([...formsOf.values()].flat());
    const found = new Set(forms.size > 0 ? await elasticsearch.words.fetch([...forms], limits.budget) : []);
    for (const [word, own] of formsOf) if (found.has(word) || own.length === 0) knownWords.set(word, true);
    return { formsOf, found };
  };
  const ask = async (...bodies: SearchBody[]) => {
    const words = new Set<string>();
    for (const body of bodies) addWordsIn(body, words);
    if (words.size === 0) return elasticsearch.search(indices, bodies, limits);
    const early = await expected;
    expected = undefined;
    // If the early look-up reached the limit it may have missed some; a look-up of fewer words may find them.
    if (early && early.found.size < MOST_FOUND) addSpellings(early, spellings);
    const unknown = [...words].filter((word) => !spellings.has(word));
    addSpellings(await lookUp(unknown), spellings);
    const asked = bodies.map((body) => withSpellings(body, spellings) as SearchBody);
    return elasticsearch.search(indices, asked, { ...limits, shardsAtOnce: SHARDS_AT_ONCE });
  };
  const expect = (words: string[]) => {
    if (words.every((word) => knownWords.has(word))) return;
    // A failure is ignored here, since no search needs the words yet. If one does, they are looked up again.
    expected = lookUp(new Set(words)).catch(() => undefined);
  };
  return isAlone ? Object.assign(ask, { expect }) : ask;
}

/** Words that were looked up, with their forms (see nearness.ts), and the words of the register that share a form. */
interface LookUp {
  formsOf: ReadonlyMap<string, string[]>;
  found: ReadonlySet<string>;
}

/** Adds the spellings of the looked-up words to `spellings`. */
function addSpellings({ formsOf, found }: LookUp, spellings: Map<string, Spellings>): void {
  const candidates = Array.from(found, (word) => ({ word, bits: letterBits(word) }));
  for (const [word, own] of formsOf) {
    // Kept, unless the look-up shows that the register lacks it: a look-up may have left it out, or reached its limit.
    const mayBeThere = found.has(word) || own.length === 0 || found.size >= MOST_FOUND;
    spellings.set(word, limitSpellings([mayBeThere ? [word] : [], ...nearOf(word, candidates)]));
  }
}

interface Candidate {
  word: string;
  bits: number;
}

/** The candidates that are near a word, by number of edits, from one on. */
function nearOf(word: string, candidates: readonly Candidate[]): string[][] {
  const most = editsAllowed(word);
  const bits = letterBits(word);
  const byEdits: string[][] = Array.from({ length: most }, () => []);
  for (const candidate of candidates) {
    // Most found words belong to another word of the query, and comparing the letters rules them out cheaply.
    if (!mayBeWithin(most, bits, candidate.bits)) continue;
    const edits = editsInSearch(word, candidate.word);
    if (edits > 0) byEdits[edits - 1]?.push(candidate.word);
  }
  return byEdits;
}

/** The first SPELLINGS words, the nearest first. */
function limitSpellings(byEdits: readonly string[][]): Spellings {
  let left = SPELLINGS;
  return byEdits.map((words) => {
    const some = words.slice(0, left);
    left -= some.length;
    return some;
  });
}

/** Collects the words of placeholders. Every body is walked, hence for-in: with arrays it took ten times as long. */
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

/** The body with near words in place of its placeholders. A body without placeholders is returned as it is. */
function withSpellings(node: object, spellings: ReadonlyMap<string, Spellings>): object {
  if (isSpelling(node)) return spellingClause(node, spellings.get(node.near_spelling.word) ?? []);
  let copy: Record<string, unknown> | undefined;
  for (const name in node) {
    const value: unknown = node[name as keyof typeof node];
    if (typeof value !== "object" || value === null) continue;
    const changed = withSpellings(value, spellings);
    if (changed === value) continue;
    copy ??= (Array.isArray(node) ? [...(node as unknown[])] : { ...node }) as Record<string, unknown>;
    copy[name] = changed;
  }
  if (!copy) return node;
  return Array.isArray(copy) ? copy : prune(copy);
}
