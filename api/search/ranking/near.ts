/** Owns nearness: clauses for words and keys within a few edits, scored by how many edits there are in all. */
import { type Clause, constant, prefix, QUERY_WORDS, term } from "../clauses.ts";
import { isInitial, MOST_EDITS } from "../../core/words/edit-distance.ts";

// Tuned: a power of two, so that sums are exact and names with as many edits score the same: what parts them then
// is the status. By likeness, a share of the shorter word, HAVERSTOLLE (dissolved) came before HAVERSTOL (active)
// for `haverstole`. Half as much would still be above what parts equals; twice as much would reach the next kind.
const EDIT_SCORE = 1 / 16;
// No query has more edits in all than this, so that no score is below zero.
const ALL_EDITS = MOST_EDITS * QUERY_WORDS;

// Tuned: spellings of one word, the nearest first; those beyond are not found. Among 300,000 companies 50 and 200 took the
// engine as long, all of them eight times that.
const SPELLINGS = 200;

// Limit: a longer word or key is found as it stands only. Names have 160 characters; signs of which each stands for
// many letters make a key of thousands, and the engine took seconds to look for what is near it.
const NEAR_CHARACTERS = 255;

/**
 * A text that holds something near each of the words that take part; fewer edits over all of them score higher.
 * `near` says what is near one word.
 */
export function nearWords(field: string, queryWords: string[], near = nearWord): Clause {
  const words = queryWords.slice(0, QUERY_WORDS);
  const rest = constant({ match_all: {} }, (ALL_EDITS - MOST_EDITS * words.length) * EDIT_SCORE);
  return { bool: { must: [...words.map((word) => near(field, word)), rest] } };
}

/** A keyword within so many edits of this one, on the same scale. */
export function nearKey(field: string, key: string, most: number): Clause {
  const levels = Array.from({ length: most + 1 }, (_, edits) => withinEdits(field, key, edits));
  return scoreEdits(levels, ALL_EDITS - MOST_EDITS);
}

/** A keyword that differs by a letter at most. */
export function byALetter(field: string, key: string): Clause {
  return withinEdits(field, key, 1);
}

/** The same, and a letter alone may be the first of a word: `J` for JANE. */
export function nearWordOrInitial(field: string, word: string): Clause {
  if (!isInitial(word)) return nearWord(field, word);
  return constant(prefix(field, word), MOST_EDITS * EDIT_SCORE);
}

/** Something near one word; what is near it is looked up before the engine is asked. */
export function nearWord(field: string, word: string): Clause {
  return { near_spelling: { field, word } } satisfies NearSpelling;
}

/** In a query body, the place of a clause for what is near a word; no query of the engine's. */
export interface NearSpelling {
  near_spelling: { field: string; word: string };
}

/** Words by how many edits they are away: a word itself, those one edit away, and so on, as far as edits are allowed. */
export type Spellings = readonly (readonly string[])[];

/** True for the place of a near spelling. */
export function isSpelling(node: object): node is NearSpelling {
  return "near_spelling" in node;
}

/** The clause for a word's near spellings, the word itself first, then those of one edit and so on. */
export function spellingClause({ near_spelling: { field } }: NearSpelling, byEdits: Spellings): Clause {
  const within = byEdits.map((_, edits) => byEdits.slice(0, edits + 1).flat());
  return scoreEdits(
    within.map((words) => ({ terms: { [field]: words } })),
    0,
  );
}

/** Within so many edits; each that is not needed adds to the least score. */
function scoreEdits(levels: Clause[], least: number): Clause {
  const nearer = levels.slice(0, -1);
  const furthest = constant(levels.at(-1) ?? {}, (least + MOST_EDITS - nearer.length) * EDIT_SCORE);
  return nearer.length === 0
    ? furthest
    : { bool: { must: [furthest], should: nearer.map((level) => constant(level, EDIT_SCORE)) } };
}

/**
 * A keyword that begins nearly so: one letter more or less, another letter, or two that have changed places. Elasticsearch
 * has no query for it; of the letters of a key none means anything in a pattern.
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
  // The engine's default way, in which it looks for the spellings once: as one list of documents, `constant_score`, it
  // builds the automaton of a long key anew for each segment, which took five times as long with 14 of them.
  return { fuzzy: { [field]: { value, fuzziness: edits, max_expansions: SPELLINGS } } };
}
