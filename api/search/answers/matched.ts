/** Owns the name of an item that matched the query best, which is its title or its `snippet`, and the marks in it. */
import {
  type EndingClass,
  type EndingReading,
  readHalfTyped,
  readMisspelt,
  parseCompanyName,
} from "../../../index-mappings/names/company-name.ts";
import {
  editDistance,
  editsWhereSought,
  isInitial,
  isNear,
  MOST_EDITS,
} from "../../shared/values/nearness.ts";
import { QUERY_WORDS } from "../clauses.ts";
import { SHORT_KEY } from "../near-words.ts";
import { otherWordings } from "../ranking/company-matches.ts";
import { mostWords } from "../ranking/reading-scores.ts";
import { withWrittenOut } from "../reading/abbreviations.ts";
import { hasFacts } from "../reading/facts.ts";
import { markWords } from "./marks.ts";

/** The parts of a name that are needed to see how it matches a query. */
export interface NameForms {
  words: string[];
  /** The words without breaks. */
  key: string;
  end: EndingClass;
}

/** The same for a query, and the incomplete endings that it may contain. */
export interface QueryForms extends NameForms {
  halfTyped: EndingReading[];
  /** True for a person, of whom a single letter may be the first of a word, beside near spellings. */
  isPerson?: boolean;
  /** The endings with a slip that it may contain. A call takes time: it is made once all stricter comparisons have failed. */
  misspelt: () => EndingReading[];
  /** True where it has a number, a postcode or a date of birth beside the name. Called for suggestions only. */
  hasFacts: () => boolean;
}

/** How the names of a hit are read, and the query for them. */
export interface Reading {
  query: QueryForms;
  read: (name: string) => NameForms;
}

/** The name that matched, and the marks in it and in the title. */
export interface Matched {
  /** The previous or former name that matched better than the title; else empty. */
  snippet: string;
  matches: { title?: number[]; snippet?: number[] };
}

/** Reads the name of a company. */
export function companyForms(text: string): NameForms {
  const { words, key, end } = parseCompanyName(text);
  return { words, key, end };
}

/** Reads a query for a company. */
export function companyQueryForms(q: string): QueryForms {
  const name = parseCompanyName(q);
  const { words, key, end } = name;
  return {
    words,
    key,
    end,
    halfTyped: readHalfTyped(name),
    misspelt: once(() => readMisspelt(name)),
    hasFacts: () => hasFacts(q, { isPerson: false }),
  };
}

/** Reading an ending as misspelt takes half a millisecond, which most pages of results do not need. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * What matched the query: the title, or another name that matched better, the first of equals. Computed here
 * and not by inner hits, which took the engine longer (2 of 3 ms a page) than the whole search. `isOther`: the tier is not one
 * of the title's.
 */
export function describeMatch(
  reading: Reading,
  title: string,
  otherNames: string[],
  isOther = false,
): Matched {
  const { query } = reading;
  const titleRank = isOther || otherNames.length === 0 ? Infinity : rankAnswer(query, reading.read(title));
  const snippet = bestName(reading, titleRank, otherNames);
  const matches = { ...marksOf("title", title, query), ...marksOf("snippet", snippet, query) };
  return { snippet, matches };
}

function bestName({ query, read }: Reading, titleRank: number, otherNames: string[]): string {
  // However near another name is, a title that is near has a better tier.
  let best = { name: "", rank: titleRank < LAST_RANK ? Math.floor(titleRank) : titleRank };
  for (const name of otherNames) {
    const rank = rankAnswer(query, read(name));
    if (rank < best.rank) best = { name, rank };
  }
  return best.name;
}

// No query has so many edits in total that they reach the next rank.
const EDIT_RANK = 1 / 64;

const BEGINNING_RANK = 1;
const LAST_STRICT_RANK = 3;
const LAST_RANK = 5;
// A name that is a part of the query.
const PART_RANK = 6;

/**
 * The names that match the query in the strictest phase that matches any, the best first, equals in
 * the given order. All of them when none matches, since the engine found one.
 */
export function answeringNames<T extends { name: string }>(
  query: QueryForms,
  names: T[],
  read: (name: string) => NameForms,
): T[] {
  const ranked = names.map((name) => ({ name, rank: rankByTier(query, read(name.name)) }));
  const best = Math.min(...ranked.map(({ rank }) => rank));
  const last = [LAST_STRICT_RANK, LAST_RANK, PART_RANK].find((rank) => best <= rank) ?? Infinity;
  const answering = ranked.filter(({ rank }) => rank <= last).toSorted((a, b) => a.rank - b.rank);
  return answering.map(({ name }) => name);
}

/** Like the tiers of the search over previous names alone: whole words come before a beginning of letters. */
function rankByTier(query: QueryForms, name: NameForms): number {
  const rank = rankAnswer(query, name);
  const hasWholeWords = query.words.every((word, place) => word === name.words[place]);
  return rank === BEGINNING_RANK && !hasWholeWords ? rank + 0.5 : rank;
}

/** How well a name matches: the tiers of the ranking in their order, from 0. */
function rankAnswer(query: QueryForms, name: NameForms): number {
  const answers = (holds: (word: string, other: string) => boolean) =>
    query.words.every((word) => name.words.some((other) => holds(word, other)));
  if (name.key === query.key) return 0;
  if (beginsWith(query, name)) return BEGINNING_RANK;
  if (answers((word, other) => word === other)) return 2;
  if (answers((word, other) => other.startsWith(word))) return 3;
  const edits = editsOf(query, name);
  if (edits < Infinity) return 4 + edits * EDIT_RANK;
  const present = query.words.filter((word) => name.words.includes(word)).length;
  if (present > 1 && present >= mostWords(query.words.length)) return LAST_RANK;
  // A part of the query: the more of its words, the better. Near words count for people, whose former names they find.
  const holds = query.isPerson ? isNear : (word: string, other: string) => word === other;
  const found = query.words
    .slice(0, QUERY_WORDS)
    .filter((word) => name.words.some((other) => holds(word, other)));
  return (isPartOf(query, name) ? PART_RANK : PART_RANK + 1) - found.length * EDIT_RANK;
}

/** True for a name that begins with the letters of the query, or has the ending of which these are the beginning. */
export function beginsWith(query: QueryForms, name: NameForms): boolean {
  return name.key.startsWith(query.key) || isHalfTyped(query, name);
}

/** True for a name whose words are all in the query, or are written apart or, of a company's name, abbreviated there. */
export function isPartOf({ words, isPerson }: QueryForms, name: NameForms): boolean {
  if (name.words.length === 0) return false;
  const wordings = isPerson ? [words] : [words, ...withWrittenOut(words)];
  return wordings.some((wording) => isPartOfWords(wording, name));
}

function isPartOfWords(words: string[], name: NameForms): boolean {
  const beginsAt = (start: number) => {
    let joined = "";
    for (let at = start; at < words.length && joined.length < name.key.length; at += 1) joined += words[at];
    return joined === name.key;
  };
  return name.words.every((word) => words.includes(word)) || words.some((_word, start) => beginsAt(start));
}

function isHalfTyped({ halfTyped }: QueryForms, { key, end }: NameForms): boolean {
  return halfTyped.some((reading) => reading.key === key && meansEnding(reading, end));
}

function meansEnding({ ends }: EndingReading, end: EndingClass): boolean {
  return end !== "NONE" && ends.includes(end);
}

/** Edits between the name and the query, or the query's part before a misspelt ending; Infinity when it is not near. */
function editsOf(query: QueryForms, name: NameForms): number {
  const readings = [query, ...query.misspelt().filter((reading) => meansEnding(reading, name.end))];
  const edits = readings.flatMap(({ words, key }) => [
    ...wordReadings(words, query).map((read) => editsOfWords(read, name.words, query.isPerson)),
    editsOfKey(key, name.key),
  ]);
  return Math.min(...edits);
}

/** The words that the engine compares; in a company's name two may have been split, and one abbreviated. */
function wordReadings(all: string[], { isPerson }: QueryForms): string[][] {
  const words = all.slice(0, QUERY_WORDS);
  return isPerson ? [words] : [words, ...otherWordings(words)];
}

/** Edits between each word of the query and one of the name; Infinity when a word is near none. */
function editsOfWords(words: string[], others: string[], isPerson = false): number {
  const editsOf = (word: string, other: string) =>
    isPerson && isInitial(word) && other.startsWith(word) ? 0 : editsWhereSought(word, other);
  const nearest = words.map((word) => Math.min(...others.map((other) => editsOf(word, other))));
  return nearest.reduce((sum, edits) => sum + edits, 0);
}

function editsOfKey(key: string, other: string): number {
  return key.length <= SHORT_KEY ? Infinity : editDistance(key, other, MOST_EDITS);
}

function marksOf(
  member: "title" | "snippet",
  text: string,
  { words, isPerson = false }: QueryForms,
): Matched["matches"] {
  const marks = markWords(text, words, isPerson);
  return marks.length > 0 ? { [member]: marks } : {};
}
