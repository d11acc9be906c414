/**
 * Finds the name of an item that matched the query best (its title, or another name, the `snippet`) and the marks in
 * both. The better name is the one in the better tier, so the ways of matching are tried on each name here.
 */
import type { EndingClass, EndingReading } from "../../../index-mappings/names/company-name.ts";
import { editDistance, editsInSearch, isInitial, MOST_EDITS } from "../../shared/values/nearness.ts";
import { QUERY_WORDS } from "../clauses.ts";
import { SHORT_KEY } from "../near-words.ts";
import { otherWordings } from "../ranking/company-matches.ts";
import { mostWords } from "../ranking/reading-scores.ts";
import { NAME_WAYS, READING_WAYS, type Tiers } from "../ranking/tiers.ts";
import { withWrittenOut } from "../reading/abbreviations.ts";
import { markWords } from "./marks.ts";
import type { NameForms, QueryForms } from "./name-forms.ts";

/** The name that matched, and the marks in it and in the title. */
export interface Matched {
  /** The previous, former or other name that matched better than the title; empty if none did. */
  snippet: string;
  matches: { title?: number[]; snippet?: number[] };
}

/**
 * The name that matched the query: the title, or another name that matched better; the first of equals. It is computed
 * here because with inner hits the engine needed more time for them (2 of 3 ms per page) than for the rest of the
 * search. `isOther`: the tier of the hit shows that the title did not match.
 */
export function describeMatch(
  query: QueryForms,
  title: string,
  otherNames: string[],
  isOther = false,
): Matched {
  const titleRank =
    isOther || otherNames.length === 0 ? Infinity : rankName(query, query.read(title), "current");
  const snippet = bestName(query, titleRank, otherNames);
  const matches = { ...marksOf("title", title, query), ...marksOf("snippet", snippet, query) };
  return { snippet, matches };
}

function bestName(query: QueryForms, titleRank: number, otherNames: string[]): string {
  let best = { name: "", rank: titleRank };
  for (const name of otherNames) {
    const rank = rankName(query, query.read(name), "previous");
    if (rank < best.rank) best = { name, rank };
  }
  return best.name;
}

/** How far a name is from matching in one way: 0 for a match, below 1 for a near match, Infinity for no match. */
type Distance = (query: QueryForms, name: NameForms) => number;

// So small that the edits, or the words, of any query add up to less than one tier.
const EDIT_RANK = 1 / 64;

const isSame = where((query, name) => name.key === query.key);

const DISTANCES: Record<keyof typeof NAME_WAYS, Distance> = {
  same: isSame,
  sameButEnding: isSame,
  beginningWords: where((query, name) => beginsWith(query, name) && startsAlike(query.words, name.words)),
  beginningLetters: where(beginsWith),
  allWords: whereEach((word, other) => other === word),
  beginningsOfWords: whereEach((word, other) => other.startsWith(word)),
  near: (query, name) => editsOf(query, name) * EDIT_RANK,
  mostWords: where(hasMostAsSpelt),
};

/** The ways in the order of their tiers, once for present names and once for previous ones. */
const WAYS = { current: waysOf("current"), previous: waysOf("previous") };

function waysOf(sort: keyof Tiers): { tier: number; distance: Distance }[] {
  const ways = Object.entries<{ tiers: Tiers }>(NAME_WAYS).flatMap(([way, { tiers }]) => {
    const distance = DISTANCES[way as keyof typeof NAME_WAYS]; // a key of the table
    const tier = tiers[sort];
    return tier === undefined ? [] : [{ tier, distance }];
  });
  return ways.toSorted((a, b) => a.tier - b.tier);
}

function where(holds: (query: QueryForms, name: NameForms) => boolean): Distance {
  return (query, name) => (holds(query, name) ? 0 : Infinity);
}

function whereEach(holds: (word: string, other: string) => boolean): Distance {
  return where(({ words }, name) => words.every((word) => name.words.some((other) => holds(word, other))));
}

// The rank of a name that has only a part of the query.
const PART_RANK = READING_WAYS.nearMostWords.tiers.current;
// Tuned: what an edit takes off a word. A misspelt word counts for less than a correct one, and for more than none:
// QUILLORY PRESS comes before QUILLORY for `Quillory Pres, Leeds`.
const SLIP_SHARE = 1 / 4;
// A name with nothing but words of the query comes before another that has as many of them.
const WHOLE_SHARE = 1 / 4;

/**
 * The names that match the query in the strictest phase that matches any: the best first, equals in the given order. If
 * none matches, the company was found by its number or address, and all its names are returned. For searches over
 * previous names alone, in which these have the tiers of present names.
 */
export function answeringNames<T extends { name: string }>(
  query: QueryForms,
  names: T[],
  address: string[],
): T[] {
  const ranked = names.map((name) => {
    const forms = query.read(name.name);
    const tier = tierOfWhole(query, forms, "current");
    return { name, forms, tier, rank: tier < Infinity ? tier : rankPart(query, forms) };
  });
  const phases = [
    ranked.filter(({ tier }) => tier < NAME_WAYS.near.tiers.current),
    ranked.filter(({ tier }) => tier < Infinity),
    ranked.filter(({ forms }) => isPartOf(query, forms) || hasMostWords(query, forms, address)),
    ranked.filter(({ rank }) => rank <= PART_RANK),
  ];
  const answering = phases.find(({ length }) => length > 0) ?? ranked;
  return answering.toSorted((a, b) => a.rank - b.rank).map(({ name }) => name);
}

/** True for a name that has a distinctive word of those that were read and, together with the address, most of them. */
function hasMostWords(query: QueryForms, name: NameForms, address: string[]): boolean {
  const { words, distinctive } = query.sought();
  const isNamed = (word: string) =>
    distinctive.includes(word) ? isNearAny(word, name.words) : name.words.includes(word);
  const has = words.filter((word) => isNamed(word) || isNearAny(word, address));
  return has.length >= mostWords(words.length) && distinctive.some(isNamed);
}

function isNearAny(word: string, others: string[]): boolean {
  return others.some((other) => editsInSearch(word, other) < Infinity);
}

/** How well a name matches: the lower, the better. */
function rankName(query: QueryForms, name: NameForms, sort: keyof Tiers): number {
  const tier = tierOfWhole(query, name, sort);
  return tier < Infinity ? tier : rankPart(query, name);
}

/** The best tier in which a name matches all or most of the query, plus its distance; else Infinity. */
function tierOfWhole(query: QueryForms, name: NameForms, sort: keyof Tiers): number {
  for (const { tier, distance } of WAYS[sort]) {
    const far = distance(query, name);
    if (far < Infinity) return tier + far;
  }
  return Infinity;
}

function startsAlike(words: string[], others: string[]): boolean {
  return words.every((word, place) => word === others[place]);
}

/** True for a name that has most words of the query as spelt, and most of its distinctive ones. */
function hasMostAsSpelt(query: QueryForms, name: NameForms): boolean {
  const presentOf = (words: string[]) => words.filter((word) => name.words.includes(word)).length;
  const hasMost = (words: string[]) => presentOf(words) >= mostWords(words.length);
  return presentOf(query.words) > 1 && hasMost(query.words) && hasMost(query.sought().distinctive);
}

/** Ranks a name by its share of the query. A name with no distinctive word of it, only an AND, comes last. */
function rankPart(query: QueryForms, name: NameForms): number {
  if (isPartOf(query, name)) return PART_RANK - (name.words.length + WHOLE_SHARE) * EDIT_RANK;
  const { words, distinctive } = query.sought();
  const shares = words.map((word) => {
    const edits = Math.min(...name.words.map((other) => editsInSearch(word, other)));
    return edits < Infinity ? 1 - edits * SLIP_SHARE : 0;
  });
  const share = shares.reduce((sum, one) => sum + one, 0);
  const isAnswer = distinctive.some((word) => isNearAny(word, name.words));
  return (isAnswer ? PART_RANK : PART_RANK + 1) - share * EDIT_RANK;
}

/** True for a name that begins with the letters of the query, even if the last of these begin its legal ending. */
export function beginsWith(query: QueryForms, name: NameForms): boolean {
  return name.key.startsWith(query.key) || isHalfTyped(query, name);
}

/** True for a name whose words are all in the query. There they may be split or, for a company's name, abbreviated. */
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

/** Edits between the name and the query, or its part before a misspelt ending; Infinity if not near. */
function editsOf(query: QueryForms, name: NameForms): number {
  const readings = [query, ...query.misspelt().filter((reading) => meansEnding(reading, name.end))];
  const edits = readings.flatMap(({ words, key }) => [
    ...wordReadings(words, query).map((read) => editsOfWords(read, name.words, query.isPerson)),
    editsOfKey(key, name.key),
  ]);
  return Math.min(...edits);
}

/** The words that the engine compares. For a company also with split words joined and abbreviations changed. */
function wordReadings(all: string[], { isPerson }: QueryForms): string[][] {
  const words = all.slice(0, QUERY_WORDS);
  return isPerson ? [words] : [words, ...otherWordings(words)];
}

/** The sum of edits between each word and the nearest word of the name; Infinity if a word is near none. */
function editsOfWords(words: string[], others: string[], isPerson = false): number {
  const editsOf = (word: string, other: string) =>
    isPerson && isInitial(word) && other.startsWith(word) ? 0 : editsInSearch(word, other);
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
