/**
 * Owns the ranking of what a query finds when it is read as people paste it: tiers below those of the search
 * reference, in which a number, a postcode and a place lift a result and never hide one.
 */
import type { Birth } from "../reading/born.ts";
import type { CompanyReading, NameReading } from "../reading/company.ts";
import {
  atTier,
  BAND_GAP,
  allOf,
  bestOf,
  type Clause,
  constant,
  inNames,
  prefix,
  scoreOf,
  someOf,
  term,
  type Tiers,
  within,
} from "../clauses.ts";
import { distinctiveWords, isGeneric, mostDistinctiveWords } from "./generic-words.ts";
import { nearWord } from "./near.ts";

/** Tiers of readings, for companies and people alike; those of pairs are for current and previous or former names. */
export const READING_TIERS = {
  /** A whole name among other words: with those that have most words, of which it leaves none unanswered. */
  wholeName: { current: 13, previous: 14 } satisfies Tiers,
  /** A company number and nothing else, or one that is being typed. */
  number: 15,
  /** A postcode and nothing else. */
  postcode: 16,
  /** A company number among other words. */
  numberAmongWords: 17,
  /** Surname and most of the forenames. */
  mostForenames: { current: 18, previous: 19 } satisfies Tiers,
  /** Most words of the query, misspelt or not, in the name or in the address. */
  nearMostWords: { current: 20, previous: 21 } satisfies Tiers,
};

/** Bands of the tier of most words: by how much of the query a result leaves unanswered. */
export const MOST_WORDS_BANDS = {
  /** Words are missing. */
  partial: 0,
  /** All words are in the name or the address, some of them misspelt. */
  allNear: 1,
  /** A part of the query is the whole name; the address has the rest, or nothing says that it must. */
  wholeName: 2,
};
const WHOLE_NAME_LIFT = MOST_WORDS_BANDS.wholeName * BAND_GAP;
const ALL_NEAR_LIFT =
  scoreOf(READING_TIERS.wholeName.current) +
  MOST_WORDS_BANDS.allNear * BAND_GAP -
  scoreOf(READING_TIERS.nearMostWords.current);

// Tuned: what agrees with the query beside the name, in the order in which it tells companies apart. Together they stay
// below the gap between tiers.
const NUMBER_LIFT = 4;
const POSTCODE_LIFT = 3;
const PLACE_LIFT = 3;
const BIRTH_LIFT = 1.5;
// Tuned: less than the least difference between two readings' weights, so that an ending parts equals only.
const ENDING_LIFT = 1 / 64;

// Tuned: one word more counts for more than all edits.
export const WORD_SCORE = 1;

// Tuned: a whole name stands before longer ones that have as many words of the query, and its town in the address.
const WHOLE_NAME_SCORE = 3;

// Tuned: 60 % of the words as a number; Elasticsearch's percentage rounds down, so one of two would do.
const SHARE_OF_WORDS = 0.6;

/** How many of so many words are most of them. */
export function mostWords(count: number): number {
  return Math.ceil(SHARE_OF_WORDS * count);
}

/** Which names may answer a reading, and at which tiers. */
export interface ReadNames {
  /** A filter over an entry of `names` as a clause at the tiers of whole names. */
  atTiers: (filter: Clause) => Clause;
  /** The entries among which near spellings are looked for; a company found by number has one of them. */
  entries: Clause;
}

/**
 * What a query finds when it is read, at tiers below those of names that have all of it; none where nothing can be read.
 * `partial`: clauses of the plain query that leave words unanswered, which are lifted alike.
 */
export function readingClauses(
  reading: CompanyReading,
  { names, partial }: { names: ReadNames; partial: Clause[] },
): Clause[] {
  const read = [
    ...partial,
    ...exactReadings(reading, names),
    ...unconfirmed(reading, names),
    ...nearReading(reading, names),
  ];
  return read.length === 0 ? [] : [{ bool: { must: [bestOf(read)], should: liftsOf(reading) } }];
}

/** What a query says beside a name. */
type Lifting = Pick<CompanyReading, "numbers" | "postcode" | "place"> & { born?: Birth | null };

/** Clauses that lift a result whose number, postcode or address the query has beside the name. */
export function liftsOf({ numbers, postcode, place, born }: Lifting): Clause[] {
  return [
    ...numbers.flatMap((number) => [
      constant(term("id", number), NUMBER_LIFT),
      // Of people: the number of a company that they belong to.
      constant(term("companies", number), NUMBER_LIFT),
    ]),
    ...(postcode ? [constant(term("postcode", postcode), POSTCODE_LIFT)] : []),
    ...place.map((word) => constant(term("address", word), PLACE_LIFT / place.length)),
    ...(born ? [constant(prefix("born", born.year), BIRTH_LIFT)] : []),
    ...(born?.month ? [constant(term("born", `${born.year}-${born.month}`), BIRTH_LIFT)] : []),
  ];
}

/** Companies that the query names beside other things, exactly. */
function exactReadings({ numbers, postcode, names: readings }: CompanyReading, names: ReadNames): Clause[] {
  const isNameless = readings.length === 0;
  const { number, numberAmongWords } = READING_TIERS;
  const byNumber = allOf([{ terms: { id: numbers } }, inNames(names.entries)]);
  const byPostcode = allOf([term("postcode", postcode ?? ""), inNames(names.entries)]);
  return [
    ...(numbers.length > 0 ? [atTier(byNumber, isNameless ? number : numberAmongWords)] : []),
    ...(postcode && isNameless ? [atTier(byPostcode, READING_TIERS.postcode)] : []),
    ...readings.map((reading) => wholeName(reading, names)),
  ];
}

/** A name that is the whole of a part of the query; the address confirms the rest where the reading asks for it. */
function wholeName({ name, rest, agreeing, weight }: NameReading, { atTiers }: ReadNames): Clause {
  const exact = atTiers(term("names.key", name.key));
  const ending = name.end === "NONE" ? [] : [constant(term("names.end", name.end), ENDING_LIFT)];
  const named = inNames(ending.length > 0 ? { bool: { must: [exact], should: ending } } : exact);
  const place = rest.map((word) => term("address", word));
  return within(asWholeName(named, weight), agreeing > 0 ? [someOf(place, agreeing)] : []);
}

/** A clause at the tiers of whole names, in their band. */
export function asWholeName(named: Clause, weight = 0): Clause {
  return plus(named, WHOLE_NAME_LIFT + weight);
}

/** A clause that scores so much more. */
export function plus(clause: Clause, score: number): Clause {
  return { bool: { must: [clause, constant({ match_all: {} }, score)] } };
}

/** Whole names that the address does not confirm, where they are half of the query and what is left is no part of a name. */
function unconfirmed({ names: readings }: CompanyReading, { entries }: ReadNames): Clause[] {
  return readings
    .filter(({ agreeing, name: { words }, rest }) => {
      const isName = words.length > 1 || distinctiveWords(words).length > 0;
      return agreeing > 0 && isName && words.length >= rest.length && !rest.every(isGeneric);
    })
    .map(({ name: { key, words }, weight }) => {
      const score = scoreOf(READING_TIERS.nearMostWords.current) + words.length * WORD_SCORE;
      const filter = allOf([entries, term("names.key", key)]);
      return inNames(constant(filter, score + WHOLE_NAME_SCORE + weight));
    });
}

/**
 * Most words of the query in a name or in the address. Slips are forgiven in words that tell a name from
 * others, of which the name must have one.
 */
function nearReading({ words }: CompanyReading, { entries }: ReadNames): Clause[] {
  if (words.length === 0) return [];
  const distinctive = mostDistinctiveWords(words);
  const inName = (word: string) => {
    const isDistinctive = distinctive.includes(word);
    const near = isDistinctive ? nearWord("names.text", word) : constant(term("names.text", word), 0);
    return inNames(within(near, [entries]));
  };
  const counted = words.map((word) => nameOrAddress(inName(word), word));
  return [within(mostOf(counted), [someOf(distinctive.map(inName))])];
}

/** A word in a name, or else in the address. */
export function nameOrAddress(inName: Clause, word: string): Clause {
  return bestOf([plus(inName, WORD_SCORE), plus(nearWord("address", word), WORD_SCORE)]);
}

/** Most of the words, at the last tiers; a result that has all of them is lifted to those that have most as spelt. */
export function mostOf(counted: Clause[], least = mostWords(counted.length)): Clause {
  const source = "params.tier + _score + (_score < params.all ? 0 : params.lift)";
  const tier = scoreOf(READING_TIERS.nearMostWords.current);
  const params = { tier, all: counted.length * WORD_SCORE, lift: ALL_NEAR_LIFT };
  return { script_score: { query: someOf(counted, least), script: { source, params } } };
}
