/** Owns the ranking of names of companies and bodies: the tiers of the search reference 8.3 as clauses. */
import { type CompanyName, nameLine, parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { parseQueryNumber } from "../../../index-mappings/names/query-number.ts";
import {
  allBeginnings,
  allOf,
  allWords,
  atTier,
  atTiers,
  atTiersByNearness,
  bestOf,
  type Clause,
  constant,
  inNames,
  IS_CURRENT,
  prefix,
  QUERY_WORDS,
  scoreOf,
  someOf,
  term,
  type Tiers,
  within,
} from "../clauses.ts";
import { readCompanyText } from "../reading/company.ts";
import { type EndingReading, readHalfTyped, readMisspelt } from "./endings.ts";
import { distinctiveWords, withoutConnectives } from "./generic-words.ts";
import { nearKey, nearWords } from "./near.ts";
import { mostWords, READING_TIERS, type ReadNames, readingQuery } from "./readings.ts";

/** How a name answers a query. */
export interface Match {
  tiers: Tiers;
  /** A `scored` clause says by its score how near the name is. */
  query: { filter: Clause } | { scored: Clause };
}

const NUMBER_TIER = 0;
export const NEAR_TIERS: Tiers = { current: 11, previous: 12 };
/** Limit: a key this short is near too many others to be looked for among near spellings. */
export const SHORT_KEY = 5;

/** Companies by number and by current or previous name, and by what the query says when it is read. */
export function companyQuery(q: string, isTolerant: boolean): Clause {
  const name = parseCompanyName(q);
  const names = { atTiers: atWholeNames, entries: IS_CURRENT };
  return withReading(q, byNumberOrName(q, wholeMatches(name, isTolerant)), names, {
    isTolerant,
    partial: isTolerant ? partialMatches(name).map((match) => inNames(toClause(match, match.tiers))) : [],
  });
}

function atWholeNames(filter: Clause): Clause {
  return atTiers(filter, READING_TIERS.wholeName);
}

function withReading(
  q: string,
  plain: Clause,
  names: ReadNames,
  options: { isTolerant: boolean; partial: Clause[] },
): Clause {
  const read = readingQuery(readCompanyText(q), names, options);
  return read ? bestOf([plain, read]) : plain;
}

/** Names that answer in these ways, and the company of this number. */
export function byNumberOrName(q: string, matches: Match[]): Clause {
  const byName = inNames(bestOf(matches.map((match) => toClause(match, match.tiers))));
  const number = parseQueryNumber(q);
  return number ? bestOf([atTier(term("id", number), NUMBER_TIER), byName]) : byName;
}

/**
 * Companies by number and by their current names alone, or by their previous names alone: these then have the
 * tiers of current ones, and only companies that have any are found by number.
 */
export function companyQueryOver(sort: "current" | "previous", q: string, isTolerant: boolean): Clause {
  const name = parseCompanyName(q);
  const ofSort = term("names.current", sort === "current");
  const toTiers = (match: Match) =>
    toClause(match, { current: match.tiers.current, previous: match.tiers.current });
  const over = (clause: Clause) => inNames({ bool: { filter: [ofSort], must: [clause] } });
  const byName = over(bestOf(wholeMatches(name, isTolerant).map(toTiers)));
  const number = parseQueryNumber(q);
  const byNumber = number ? [atTier(allOf([term("id", number), inNames(ofSort)]), NUMBER_TIER)] : [];
  const whole = scoreOf(READING_TIERS.wholeName.current);
  const names = { atTiers: (filter: Clause) => constant(allOf([ofSort, filter]), whole), entries: ofSort };
  return withReading(q, bestOf([...byNumber, byName]), names, {
    isTolerant,
    partial: isTolerant ? partialMatches(name).map((match) => over(toTiers(match))) : [],
  });
}

// Tiers of bodies among officers (search reference 8.4).
const BODY_TIERS: Record<number, number> = { 1: 1, 2: 1, 4: 4, 5: 5, 7: 5, 9: 7, 11: 9, 13: 11 };

/** Bodies among officers, of which no previous names are known. */
export function bodyQuery(q: string, isTolerant: boolean): Clause {
  const name = parseCompanyName(q);
  const toBodyClause = (match: Match) =>
    toClause(match, { current: BODY_TIERS[match.tiers.current] ?? match.tiers.current });
  const plain = inNames(bestOf(wholeMatches(name, isTolerant).map(toBodyClause)));
  const names = { atTiers: atWholeNames, entries: IS_CURRENT };
  return withReading(q, plain, names, {
    isTolerant,
    partial: isTolerant ? partialMatches(name).map((match) => inNames(toBodyClause(match))) : [],
  });
}

function toClause({ query }: Match, tiers: Tiers): Clause {
  return "scored" in query ? atTiersByNearness(query.scored, tiers) : atTiers(query.filter, tiers);
}

/** The ways in which a name may answer all of the query. */
export function wholeMatches(name: CompanyName, isTolerant: boolean): Match[] {
  const words = name.words.slice(0, QUERY_WORDS);
  if (words.length === 0) return equalMatches(name);
  const strict = [
    ...equalMatches(name),
    ...strictMatches(name.key, words),
    ...readHalfTyped(name).map(halfTypedMatch),
  ];
  return [...strict, ...(isTolerant ? nearMatches(name, words) : letterMatches(name))];
}

/** A name of which all is typed but its ending: it begins with what has been typed. */
function halfTypedMatch({ key, ends }: EndingReading): Match {
  return {
    tiers: { current: 5, previous: 6 },
    query: { filter: allOf([term("names.key", key), hasEnding(ends)]) },
  };
}

function hasEnding(ends: string[]): Clause {
  return { terms: { "names.end": ends } };
}

function equalMatches({ key, end }: CompanyName): Match[] {
  const filter = term("names.key", key);
  if (end === "NONE") return [{ tiers: { current: 1, previous: 3 }, query: { filter } }];
  return [
    { tiers: { current: 1 }, query: { filter: allOf([filter, term("names.end", end)]) } },
    { tiers: { current: 2, previous: 3 }, query: { filter } },
  ];
}

function strictMatches(key: string, words: string[]): Match[] {
  return [
    { tiers: { current: 4 }, query: { filter: prefix("names.line", nameLine(words)) } },
    { tiers: { current: 5, previous: 6 }, query: { filter: prefix("names.key", key) } },
    { tiers: { current: 7, previous: 8 }, query: { filter: allWords("names.text", words) } },
    { tiers: { current: 9, previous: 10 }, query: { filter: allBeginnings("names.text", words) } },
  ];
}

function nearName(key: string, words: string[]): Clause {
  const byWords = nearWords("names.text", words);
  return key.length > SHORT_KEY ? bestOf([byWords, nearKey("names.key", key)]) : byWords;
}

function nearMatches(name: CompanyName, words: string[]): Match[] {
  const near = [
    nearName(name.key, words),
    ...readMisspelt(name).map((reading) =>
      within(nearName(reading.key, reading.words), [hasEnding(reading.ends)]),
    ),
  ];
  return [{ tiers: NEAR_TIERS, query: { scored: bestOf(near) } }];
}

/** Names that differ by a letter: cheap enough to stand beside those that do not. */
function letterMatches({ key }: CompanyName): Match[] {
  return key.length > SHORT_KEY
    ? [{ tiers: NEAR_TIERS, query: { scored: nearKey("names.key", key, 1) } }]
    : [];
}

/** The ways in which a name may answer most of the query: one that tells it from others must be among the words. */
function partialMatches(name: CompanyName): Match[] {
  const words = name.words.slice(0, QUERY_WORDS);
  if (words.length < 2) return [];
  const present = words.map((word) => constant(inText(word), 1 / (words.length + 1)));
  const content = withoutConnectives(words);
  const filters = [
    someOf(distinctiveWords(words).map(inText)),
    ...(content.length < words.length ? [someOf(content.map(inText), mostWords(content.length))] : []),
    // A number in a name tells it from its neighbours: 12 HIGH STREET is not 14 HIGH STREET.
    ...words.filter((word) => /\d/.test(word)).map(inText),
  ];
  const scored = within(someOf(present, mostWords(words.length)), filters);
  return [{ tiers: { current: 13, previous: 14 }, query: { scored } }];
}

function inText(word: string): Clause {
  return term("names.text", word);
}
