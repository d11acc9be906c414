/**
 * Owns what readings of a query are scored by, of companies and of people alike: facts beside a name lift a result and never
 * hide one, a whole name is above most of the words.
 */
import { type Birth, birthsOf } from "../reading/birth.ts";
import type { CompanyReading } from "../reading/company.ts";
import { bestOf, type Clause, constant, IS_CURRENT, prefix, someOf, term, within } from "../clauses.ts";
import { AS_SPELT_SCORE, nearWord } from "../near-words.ts";
import { BAND_GAP, BANDS, READING_WAYS, scoreOf } from "./tiers.ts";

/** What lifts whole names above the others of their tier. */
export const WHOLE_NAME_LIFT = BANDS.wholeName * BAND_GAP;
/** What lifts names that have all words, some of them misspelt. */
export const ALL_NEAR_BAND = BANDS.allNear * BAND_GAP;
const ALL_NEAR_LIFT =
  scoreOf(READING_WAYS.wholeName.tiers.current) +
  ALL_NEAR_BAND -
  scoreOf(READING_WAYS.nearMostWords.tiers.current);

// Tuned: what matches the query beside the name, ordered by how well it distinguishes companies. Together they stay
// below the gap between tiers.
const NUMBER_LIFT = 4;
const POSTCODE_LIFT = 3;
export const PLACE_LIFT = 3;
const BIRTH_LIFT = 1.5;

// Tuned: one word more counts for more than all edits.
export const WORD_SCORE = 1;
// Tuned: less by more than the edits of a few other words are worth.
const NEAR_ADDRESS_SCORE = WORD_SCORE / 4;

// Tuned: 60 % of the words as a number; Elasticsearch's percentage rounds down, so one of two would do.
const SHARE_OF_WORDS = 0.6;

// Tuned: a previous name comes behind a present one as certain, and before it where the facts agree with it alone.
const PRESENT_LIFT = 0.25;

/** How many of this many words are most of them. */
export function mostWords(count: number): number {
  return Math.ceil(SHARE_OF_WORDS * count);
}

/** The facts in a query beside a name. */
type Lifting = Pick<CompanyReading, "numbers" | "postcode" | "place"> & { born?: Birth | null };

/** Clauses that lift a result with the query's number, postcode or address. */
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

/** An entry of `names` that matches with this score, 1 at most, at the tier of whole names. */
export function atWholeNames(scored: Clause): Clause {
  const { current } = READING_WAYS.wholeName.tiers;
  const must = [scored, constant({ match_all: {} }, scoreOf(current))];
  return { bool: { must, should: [constant(IS_CURRENT, PRESENT_LIFT)] } };
}

/** A clause at the tier of whole names, in their band. */
export function asWholeName(named: Clause, weight = 0): Clause {
  return plus(named, WHOLE_NAME_LIFT + weight);
}

/** A clause whose results have so many of these words in an address; of 0 wherever they are. */
export function inPlace(clause: Clause, { place, agreeing }: { place: string[]; agreeing: number }): Clause {
  const words = place.map((word) => term("address", word));
  return within(clause, agreeing > 0 ? [someOf(words, agreeing)] : []);
}

/** A clause with this much added to its score. */
export function plus(clause: Clause, score: number): Clause {
  return { bool: { must: [clause, constant({ match_all: {} }, score)] } };
}

/**
 * A word in a name, or else in the address. One near a word there, as NOW is near ROW, counts for less: without it a result has
 * not all of the words.
 */
export function nameOrAddress(inName: Clause, word: string): Clause {
  const asSpelt = constant(term("address", word), WORD_SCORE + AS_SPELT_SCORE);
  return bestOf([plus(inName, WORD_SCORE), asSpelt, plus(nearWord("address", word), NEAR_ADDRESS_SCORE)]);
}

/** Most of the words, at the last tiers; a result with all of them is lifted to those that have most as spelt. */
export function mostOf(
  counted: Clause[],
  least = mostWords(counted.length),
  tier: number = READING_WAYS.nearMostWords.tiers.current,
): Clause {
  const source = "params.tier + _score + (_score < params.all ? 0 : params.lift)";
  const params = { tier: scoreOf(tier), all: counted.length * WORD_SCORE, lift: ALL_NEAR_LIFT };
  return { script_score: { query: someOf(counted, least), script: { source, params } } };
}
