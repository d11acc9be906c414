/**
 * Owns the ranking of what a query finds when it is read as people paste it: tiers below those of the search
 * reference, in which a number, a postcode and a place lift a result and never hide one.
 */
import type { Birth } from "../reading/born.ts";
import type { CompanyReading, NameReading } from "../reading/company.ts";
import {
  allOf,
  atTier,
  bestOf,
  type Clause,
  constant,
  inNames,
  liftTo,
  prefix,
  scoreOf,
  someOf,
  term,
  type Tiers,
} from "../clauses.ts";
import { distinctiveWords } from "./generic-words.ts";
import { nearWord } from "./near.ts";

/** Tiers of readings, for companies and people alike; numbers between are those of previous or former names. */
export const READING_TIERS = {
  /** A company number among other words, or one that is being typed. */
  number: 15,
  /** A name that is a part of the query, as a whole. */
  wholeName: { current: 16, previous: 17 } satisfies Tiers,
  /** A postcode and nothing else. */
  postcode: 18,
  /** Surname and most of the forenames. */
  mostWords: { current: 18, previous: 19 } satisfies Tiers,
  /** Most words of the query, misspelt or not, in the name or in the address. */
  nearMostWords: { current: 20, previous: 21 } satisfies Tiers,
};

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

/** Bands of the tier of most words (13): by how much of the query each result leaves unanswered. */
export const MOST_WORDS_BANDS = {
  /** Words are missing. */
  partial: 0,
  /** All words are in the name or the address, some of them misspelt. */
  allNear: 1,
  /** All words: those of the name in the name, the others in the address, number or postcode. */
  all: 2,
};
const MOST_WORDS = 13;
/** What lifts a whole name with all that stands beside it to the tier of most words. */
export const ALL_ANSWERED_LIFT = liftTo(READING_TIERS.wholeName.current, MOST_WORDS, MOST_WORDS_BANDS.all);
const ALL_NEAR_LIFT = liftTo(READING_TIERS.nearMostWords.current, MOST_WORDS, MOST_WORDS_BANDS.allNear);

// Tuned: 60 % of the words as a number; Elasticsearch's percentage rounds down, so one of two would do.
const SHARE_OF_WORDS = 0.6;

/** How many of so many words are most of them. */
export function mostWords(count: number): number {
  return Math.ceil(SHARE_OF_WORDS * count);
}

/** How the names of a kind of record stand in the tiers of readings: a filter over an entry of `names` to a clause. */
export type AtReadingTiers = (filter: Clause) => Clause;

/**
 * What a query finds when it is read, at tiers below all others; null where nothing can be read. `partial`: clauses
 * of lower tiers of the plain query, which are lifted alike.
 */
export function readingQuery(
  reading: CompanyReading,
  { atTiers, isTolerant, partial = [] }: { atTiers: AtReadingTiers; isTolerant: boolean; partial?: Clause[] },
): Clause | null {
  const read = [...partial, ...exactReadings(reading, atTiers), ...(isTolerant ? nearReading(reading) : [])];
  return read.length === 0 ? null : { bool: { must: [bestOf(read)], should: liftsOf(reading) } };
}

/** What a query says beside a name. */
type Lifting = Pick<CompanyReading, "numbers" | "postcode" | "place"> & { born?: Birth | null };

/** Clauses that lift a result whose number, postcode or address the query has beside the name. */
export function liftsOf({ numbers, postcode, place, born }: Lifting): Clause[] {
  return [
    ...numbers.map((number) => constant(term("id", number), NUMBER_LIFT)),
    ...(postcode ? [constant(term("postcode", postcode), POSTCODE_LIFT)] : []),
    ...place.map((word) => constant(term("address", word), PLACE_LIFT / place.length)),
    ...(born ? [constant(prefix("born", born.year), BIRTH_LIFT)] : []),
    ...(born?.month ? [constant(term("born", `${born.year}-${born.month}`), BIRTH_LIFT)] : []),
  ];
}

/** Companies that the query names beside other things, exactly. */
function exactReadings(reading: CompanyReading, atTiers: AtReadingTiers): Clause[] {
  const { numbers, postcode, names } = reading;
  const isPostcodeOnly = postcode !== null && names.length === 0;
  return [
    ...(numbers.length > 0 ? [atTier({ terms: { id: numbers } }, READING_TIERS.number)] : []),
    ...(isPostcodeOnly ? [atTier(term("postcode", postcode), READING_TIERS.postcode)] : []),
    ...names.map((name) => wholeName(name, reading, atTiers)),
  ];
}

/** A name that is the whole of a part of the query; the address confirms the rest where the reading asks for it. */
function wholeName(
  { name, rest, agreeing, weight }: NameReading,
  { numbers, postcode }: CompanyReading,
  atTiers: AtReadingTiers,
): Clause {
  const exact = atTiers(term("names.key", name.key));
  const ending = name.end === "NONE" ? [] : [constant(term("names.end", name.end), ENDING_LIFT)];
  const named = inNames(ending.length > 0 ? { bool: { must: [exact], should: ending } } : exact);
  const place = rest.map((word) => term("address", word));
  const facts = [
    ...place,
    ...(numbers.length > 0 ? [{ terms: { id: numbers } }] : []),
    ...(postcode ? [term("postcode", postcode)] : []),
  ];
  return {
    bool: {
      must: [named, constant({ match_all: {} }, weight)],
      filter: agreeing > 0 ? [someOf(place, agreeing)] : [],
      should: facts.length > 0 ? [constant(allOf(facts), ALL_ANSWERED_LIFT)] : [],
    },
  };
}

/**
 * Most words of the query in the name or in the address. Slips are forgiven in words that tell a name from others, of
 * which the name must have one.
 */
function nearReading({ words }: CompanyReading): Clause[] {
  if (words.length === 0) return [];
  const distinctive = distinctiveWords(words);
  const inName = (word: string) =>
    inNames(distinctive.includes(word) ? nearWord("names.text", word) : term("names.text", word));
  const counted = words.map((word) =>
    bestOf([
      { bool: { must: [inName(word), constant({ match_all: {} }, WORD_SCORE)] } },
      constant(term("address", word), WORD_SCORE),
    ]),
  );
  const tier = constant({ match_all: {} }, scoreOf(READING_TIERS.nearMostWords.current));
  const must = [tier, liftedIfAll(someOf(counted, mostWords(words.length)), words.length)];
  return [{ bool: { must, filter: [someOf(distinctive.map(inName))] } }];
}

/** A clause whose score counts words; a result that has all of them is lifted to those that have most as spelt. */
export function liftedIfAll(counted: Clause, words: number): Clause {
  const source = "_score < params.all ? _score : _score + params.lift";
  const params = { all: words * WORD_SCORE, lift: ALL_NEAR_LIFT };
  return { script_score: { query: counted, script: { source, params } } };
}
