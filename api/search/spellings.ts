/** Owns near spellings in query bodies: which words of the register are near those of a query, and the clauses they make. */
import { editsAllowed, editsWhereNear, letterBits, mayBeWithin } from "../core/words/edit-distance.ts";
import { formsOfTyped } from "../core/words/forms.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import type { Budget } from "../core/budget.ts";
import type { IndexAlias } from "../../index-mappings/define-index.ts";
import type { Ask, SearchBody } from "./define-search.ts";
import { isSpelling, spellingClause, type Spellings } from "./ranking/near.ts";

// Tuned: spellings of one word, the nearest first; those beyond are not found.
const SPELLINGS = 200;

/**
 * Asks bodies of these indices. Where they ask for near spellings, those that the register has are looked up first, for
 * all words in one request: the engine finds a list of words far sooner than it finds what is near one.
 */
export function askWithSpellings(
  elasticsearch: SearchStore,
  indices: readonly IndexAlias[],
  budget?: Budget,
): Ask {
  return async (...bodies) => {
    const words = [...new Set(bodies.flatMap(wordsIn))];
    const forms = [...new Set(words.flatMap(formsOfTyped))];
    const found = forms.length > 0 ? await elasticsearch.words.fetch(forms, budget) : [];
    const candidates = found.map((word) => ({ word, bits: letterBits(word) }));
    const spelt = new Map(words.map((word) => [word, spellingsOf(word, candidates)]));
    const asked = words.length > 0 ? bodies.map((body) => withSpellings(body, spelt) as SearchBody) : bodies;
    return elasticsearch.search(indices, asked, budget);
  };
}

interface Candidate {
  word: string;
  bits: number;
}

/** The spellings of a word among these, and the word itself, were it there or not. */
function spellingsOf(word: string, candidates: readonly Candidate[]): Spellings {
  const most = editsAllowed(word);
  const bits = letterBits(word);
  const byEdits: string[][] = Array.from({ length: most + 1 }, () => []);
  byEdits[0]?.push(word);
  for (const candidate of candidates) {
    // A query has several words, and each word found is near one of them: a glance at the letters spares most comparisons.
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

function wordsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  if (isSpelling(node)) return [node.near_spelling.word];
  return Object.values(node).flatMap(wordsIn);
}

function withSpellings(node: unknown, spelt: ReadonlyMap<string, Spellings>): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => withSpellings(item, spelt));
  if (isSpelling(node)) return spellingClause(node, spelt.get(node.near_spelling.word) ?? []);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withSpellings(value, spelt)]));
}
