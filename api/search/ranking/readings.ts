/**
 * Owns the ranking of what a query finds when it is read as people paste it: tiers below those of the search
 * reference, in which a number, a postcode and a place lift a result and never hide one.
 */
import type { Birth } from "../reading/born.ts";
import type { CompanyReading, NameReading } from "../reading/company.ts";
import {
  atTier,
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
export const WORD_SCORE = 0.5;

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
function exactReadings({ numbers, postcode, names }: CompanyReading, atTiers: AtReadingTiers): Clause[] {
  const isPostcodeOnly = postcode !== null && names.length === 0;
  return [
    ...(numbers.length > 0 ? [atTier({ terms: { id: numbers } }, READING_TIERS.number)] : []),
    ...(isPostcodeOnly ? [atTier(term("postcode", postcode), READING_TIERS.postcode)] : []),
    ...names.map((name) => wholeName(name, atTiers)),
  ];
}

/** A name that is the whole of a part of the query; the address confirms the rest where the reading asks for it. */
function wholeName({ name, rest, agreeing, weight }: NameReading, atTiers: AtReadingTiers): Clause {
  const exact = atTiers(term("names.key", name.key));
  const ending = name.end === "NONE" ? [] : [constant(term("names.end", name.end), ENDING_LIFT)];
  const named = inNames(ending.length > 0 ? { bool: { must: [exact], should: ending } } : exact);
  const place =
    agreeing > 0
      ? [
          someOf(
            rest.map((word) => term("address", word)),
            agreeing,
          ),
        ]
      : [];
  return within({ bool: { must: [named, constant({ match_all: {} }, weight)] } }, place);
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
  const most = someOf(counted, mostWords(words.length));
  return [{ bool: { must: [tier, most], filter: [someOf(distinctive.map(inName))] } }];
}
