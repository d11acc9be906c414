/** Owns near spellings in query bodies: which words of the register are near those of a query, and their clauses. */
import { editsAllowed, editsWhereNear, letterBits, mayBeWithin } from "../shared/values/edit-distance.ts";
import { formsOfTyped } from "../shared/values/forms.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import type { Budget } from "../shared/runtime/budget.ts";
import type { IndexAlias } from "../shared/definitions/define-index.ts";
import type { Ask } from "./define-search.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import { isSpelling, spellingClause, type Spellings } from "./ranking/near.ts";

// Tuned: spellings of one word, the nearest first; others are not found.
const SPELLINGS = 200;

/**
 * Sends bodies to these indices. Near spellings in them are looked up first, for
 * all words in one request: the engine finds a list of words far sooner than the words near one.
 */
export function askWithSpellings(
  elasticsearch: SearchStore,
  indices: readonly IndexAlias[],
  budget?: Budget,
): Ask {
  return async (...bodies) => {
    const words = new Set<string>();
    for (const body of bodies) addWordsIn(body, words);
    if (words.size === 0) return elasticsearch.search(indices, bodies, budget);
    const forms = [...new Set([...words].flatMap(formsOfTyped))];
    const found = forms.length > 0 ? await elasticsearch.words.fetch(forms, budget) : [];
    const candidates = found.map((word) => ({ word, bits: letterBits(word) }));
    const spelt = new Map([...words].map((word) => [word, spellingsOf(word, candidates)]));
    const asked = bodies.map((body) => withSpellings(body, spelt) as SearchBody);
    return elasticsearch.search(indices, asked, budget);
  };
}

interface Candidate {
  word: string;
  bits: number;
}

/** The spellings of a word among these, and the word itself, found or not. */
function spellingsOf(word: string, candidates: readonly Candidate[]): Spellings {
  const most = editsAllowed(word);
  const bits = letterBits(word);
  const byEdits: string[][] = Array.from({ length: most + 1 }, () => []);
  byEdits[0]?.push(word);
  for (const candidate of candidates) {
    // A query has several words, and each found word is near one of them: a look at the letters saves most comparisons.
    if (!mayBeWithin(most, bits, candidate.bits)) continue;
    const edits = editsWhereNear(word, candidate.word);
    if (edits > 0) byEdits[edits]?.push(candidate.word);
  }
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
  return copy ?? node;
}
