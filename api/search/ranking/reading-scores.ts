/**
 * Scores for readings of a query, for companies and people alike. Facts beside a name lift a result and never hide one;
 * a whole name ranks above most of the words.
 */
import { type Birth, birthsOf } from "../reading/birth.ts";
import type { CompanyReading } from "../reading/company.ts";
import { bestOf, type Clause, constant, IS_CURRENT, prefix, someOf, term, within } from "../clauses.ts";
import { AS_SPELT_SCORE, nearWord } from "../near-words.ts";
import { BAND_GAP, BANDS, READING_WAYS, scoreOf } from "./tiers.ts";

/** Lifts whole names above the others of their tier. */
export const WHOLE_NAME_LIFT = BANDS.wholeName * BAND_GAP;
/** Lifts names that have all words, some of them misspelt. */
export const ALL_NEAR_BAND = BANDS.allNear * BAND_GAP;
const ALL_NEAR_LIFT =
  scoreOf(READING_WAYS.wholeName.tiers.current) +
  ALL_NEAR_BAND -
  scoreOf(READING_WAYS.nearMostWords.tiers.current);

// Tuned: facts beside the name, by how well they distinguish companies. Together they stay below the gap between tiers.
const NUMBER_LIFT = 4;
const POSTCODE_LIFT = 3;
export const PLACE_LIFT = 3;
const BIRTH_LIFT = 1.5;

// Tuned: one more word counts for more than all edits.
export const WORD_SCORE = 1;
// Tuned: below WORD_SCORE by more than the edits of a few other words are worth.
const NEAR_ADDRESS_SCORE = WORD_SCORE / 4;

// Tuned: 60 % of the words, rounded up: Elasticsearch's percentage rounds down, so that one word of two would do.
const SHARE_OF_WORDS = 0.6;

// Tuned: a previous name comes after an equally certain present one, but before it if the facts agree only with it.
const PRESENT_LIFT = 0.25;

/** How many of `count` words are most of them. */
export function mostWords(count: number): number {
  return Math.ceil(SHARE_OF_WORDS * count);
}

/** The facts in a query beside a name. */
type Lifting = Pick<CompanyReading, "numbers" | "postcode" | "place"> & { born?: Birth | null };

/** Clauses that lift results with the query's number, postcode, address or date of birth. */
export function liftsOf({ numbers, postcode, place, born }: Lifting): Clause[] {
  return [
    ...numbers.flatMap((number) => [
      constant(term("id", number), NUMBER_LIFT),
      // For people: the number of a company that they belong to.
      constant(term("companies", number), NUMBER_LIFT),
    ]),
    ...(postcode ? [constant(term("postcode", postcode), POSTCODE_LIFT)] : []),
    ...place.map((word) => constant(term("address", word), PLACE_LIFT / place.length)),
    ...(born?.years ?? []).map((year) => constant(prefix("born", year), BIRTH_LIFT)),
    ...(born?.month ? birthsOf(born).map((month) => constant(term("born", month), BIRTH_LIFT)) : []),
  ];
}

/** Entries of `names` that the clause matches, at the tier of whole names. The clause's score must be 1 at most. */
export function atWholeNames(scored: Clause): Clause {
  const { current } = READING_WAYS.wholeName.tiers;
  const must = [scored, constant({ match_all: {} }, scoreOf(current))];
  return { bool: { must, should: [constant(IS_CURRENT, PRESENT_LIFT)] } };
}

/** Moves a clause at the tier of whole names into the band of whole names. */
export function asWholeName(named: Clause, weight = 0): Clause {
  return plus(named, WHOLE_NAME_LIFT + weight);
}

/** Restricts a clause to results with at least `agreeing` of the words in an address; 0 sets no condition. */
export function inPlace(clause: Clause, { place, agreeing }: { place: string[]; agreeing: number }): Clause {
  const words = place.map((word) => term("address", word));
  return within(clause, agreeing > 0 ? [someOf(words, agreeing)] : []);
}

/** Adds this much to the score of a clause. */
export function plus(clause: Clause, score: number): Clause {
  return { bool: { must: [clause, constant({ match_all: {} }, score)] } };
}

/**
 * A word in a name, or else in the address. A near spelling in the address counts for less (NOW is near ROW), so a
 * result with one does not count as having all words.
 */
export function nameOrAddress(inName: Clause, word: string): Clause {
  const asSpelt = constant(term("address", word), WORD_SCORE + AS_SPELT_SCORE);
  return bestOf([plus(inName, WORD_SCORE), asSpelt, plus(nearWord("address", word), NEAR_ADDRESS_SCORE)]);
}

/** Most of the words, at the last tiers. With all words a result gets the tier of names that have most as spelt. */
export function mostOf(counted: Clause[], tier: number = READING_WAYS.nearMostWords.tiers.current): Clause {
  const source = "params.tier + _score + (_score < params.all ? 0 : params.lift)";
  const params = { tier: scoreOf(tier), all: counted.length * WORD_SCORE, lift: ALL_NEAR_LIFT };
  return { script_score: { query: someOf(counted, mostWords(counted.length)), script: { source, params } } };
}
