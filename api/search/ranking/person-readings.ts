/**
 * Owns the ranking of people whom a query names beside other things: extra forenames, joined initials, titles,
 * a date of birth, a place; and whether a query is more than their name. All of these are below what the plain query finds.
 */
import {
  type PersonQuery,
  type PersonReading as PersonQueryReading,
  SURE_TITLES,
  surnamesAmong,
} from "../../../index-mappings/names/person-name.ts";
import {
  allWords,
  anyOf,
  bestOf,
  type Clause,
  constant,
  inNames,
  prefix,
  someOf,
  term,
  within,
} from "../clauses.ts";
import { isInitial } from "../../shared/values/nearness.ts";
import { nearWord } from "../near-words.ts";
import { partings } from "../reading/glued-name.ts";
import { anywhere, type PersonNameReading, readPersonText } from "../reading/person.ts";
import { hasSaint, withOtherSaint } from "../reading/short-forms.ts";
import { shorterNames } from "./fewer-forenames.ts";
import { FIRST_LIFT, likelyReadings, nearMostWords } from "./near-people.ts";
import { forenameBeginnings, initialsInOrder, otherForms, surnameAndFirst } from "./person-filters.ts";
import { asWholeName, atWholeNames, inPlace, liftsOf, mostWords, WORD_SCORE } from "./reading-scores.ts";
import { atTiersByNearness, BAND_GAP, READING_WAYS } from "./tiers.ts";

// Tuned: within the tier of whole names; a complete name is more certain than one without some forenames.
// Initials that the register writes out come before names that lack them: JOHN MARK before JOHN for JOHN M; those in their order
// before others. Between the first three is more than what a present name is lifted above a former one, so that the order is that
// of the plain query (8.4): the same, then the first forename, then the same formerly, then all words.
const WEIGHTS = {
  surnameAndFirst: 0.78,
  allWords: 0.5,
  run: 0.49,
  initials: 0.46,
  beginnings: 0.22,
  half: 0.2,
};
// Tuned: THERESA MAY born in 1956 comes before a THERESA born in May of it; with the year of another, behind.
const MONTH_IN_NAME = 2;
// Tuned: ST JUST as typed comes before SAINT JUST of the same forenames.
const OTHER_SAINT = -0.125;
// Tuned: beside a surname with a slip a forename counts for less, so that as many words as spelt come first, but fewer behind:
// for `John Thomas Peregrine Clrak` JOHN THOMAS CLARK before JOHN THOMAS.
const NEARLY = (WORD_SCORE * 3) / 4;
const MOST_WORDS = 6;
// Of three words two are most.
const FEWEST_AROUND = 4;

/** People by what was read in the query; none when there is nothing to read. */
export function personReadings(q: string): Clause[] {
  const reading = readPersonText(q);
  const { name, withMonth } = reading;
  const names = [...reading.names, ...withOtherSaint(q).flatMap(namesOfSaints)];
  const all = [anywhere(name), ...names];
  const read = [
    ...names.map(nameAlone),
    ...names.filter(({ isOfTwo }) => isOfTwo).map(sameName),
    ...(withMonth ? [monthInName(withMonth)] : []),
    ...names.filter(({ behind }) => behind).map(unconfirmed),
    ...all.flatMap(fewerForenames),
    ...all.flatMap(fewerBehindSurname),
    ...mostOfTheWords(name),
    ...sideBySide(name),
    ...nearMostWords(name),
    ...reading.glued.map(gluedName),
  ];
  return read.length === 0 ? [] : [{ bool: { must: [bestOf(read)], should: liftsOf(reading) } }];
}

function namesOfSaints(other: string): PersonNameReading[] {
  const names = readPersonText(other).names.filter(({ query }) => hasSaint(query.words));
  return names.map((one) => ({ ...one, weight: one.weight + OTHER_SAINT }));
}

/** The name without the facts beside it, at the tier of whole names. */
function nameAlone({ query, ...reading }: PersonNameReading): Clause {
  return inWholeNames(asRead(query), reading);
}

/** The name of one of two people, without further forenames: above those that have some, of all kinds. */
function sameName({ query, ...reading }: PersonNameReading): Clause {
  return inWholeNames(constant(term("names.full", query.whole), 1), { ...reading, isOfTwo: false });
}

/** `kirstyreynolds` for KIRSTY REYNOLDS and KIRSTY ANN REYNOLDS: the engine knows which of the parts are names. */
function gluedName(word: string): Clause {
  const parts = partings(word);
  const forenameFirst = parts.map(([first, surname]) => surnameAndFirst({ surname, given: [first] }));
  const surnameFirst = parts.map(([surname, first]) => surnameAndFirst({ surname, given: [first] }));
  const scored = bestOf([
    constant(term("names.full", word), 1),
    constant(someOf(forenameFirst), WEIGHTS.surnameAndFirst),
    constant(someOf(surnameFirst), WEIGHTS.allWords),
  ]);
  return inWholeNames(scored);
}

/** The whole name without an agreeing address. Before words that may be forenames it must be a forename and a surname. */
function unconfirmed({ query, behind }: PersonNameReading): Clause {
  const scored = behind === "words" ? withForename(query) : asRead(query);
  return withMostForenames(scored);
}

/** An entry of `names` at the tiers of names with most of the forenames. */
function withMostForenames(scored: Clause): Clause {
  return inNames(atTiersByNearness(scored, READING_WAYS.mostForenames.tiers));
}

function withForename({ whole, readings }: PersonQuery): Clause {
  const likely = readings.filter(({ given }) => given.length > 0);
  return bestOf([
    constant(term("names.full", whole), 1),
    constant(someOf(likely.map(surnameAndFirst)), WEIGHTS.surnameAndFirst),
  ]);
}

function asRead(query: PersonQuery): Clause {
  const { readings } = query;
  return bestOf([
    ...asSpelt(query),
    ...readings.flatMap(initialsInOrder).map((filter) => constant(filter, WEIGHTS.run)),
    ...readings
      .filter(({ given }) => given.length > 0)
      .map((one) => constant(forenameBeginnings(one), weightOfBeginnings(one))),
    ...readings.flatMap((one) => otherForms(one)).map((filter) => constant(filter, WEIGHTS.beginnings)),
    ...readings
      .flatMap((one) => otherForms(one, "names.others"))
      .map((filter) => constant(filter, WEIGHTS.half)),
  ]);
}

/** The name with the month's word; a month is no beginning of a name: MARK is not meant by MAR. */
function monthInName(query: PersonQuery): Clause {
  return inWholeNames(bestOf(asSpelt(query)), { weight: MONTH_IN_NAME });
}

/** Names that have all words. */
function asSpelt({ whole, words, readings }: PersonQuery): Clause[] {
  return [
    constant(term("names.full", whole), 1),
    constant(someOf(readings.map(surnameAndFirst)), WEIGHTS.surnameAndFirst),
    constant(allWords("names.person", words), WEIGHTS.allWords),
  ];
}

function weightOfBeginnings({ given }: PersonQueryReading): number {
  return given.some(isInitial) ? WEIGHTS.initials : WEIGHTS.beginnings;
}

/** An entry of `names` with a score of its own, in the band of whole names; of one of two people, in that below. */
function inWholeNames(scored: Clause, reading: Partial<PersonNameReading> = {}): Clause {
  const { isOfTwo = false, weight = 0, place = [], agreeing = 0 } = reading;
  const named = inNames(atWholeNames(scored));
  return inPlace(asWholeName(named, isOfTwo ? weight - BAND_GAP : weight), { place, agreeing });
}

/**
 * Names that have the surname and some of the forenames, or their initials, and no others: HAROLD NOMANBY and HAROLD J
 * NOMANBY for HAROLD JOHN NOMANBY.
 */
export function fewerForenames({ query, ...reading }: PersonNameReading): Clause[] {
  const ways = shorterNames(query.readings.filter((one) => isLikely(one, query)));
  return ways.length > 0 ? [inWholeNames(bestOf(ways), reading)] : [];
}

/** Names with fewer forenames where a first word is the surname, which is less likely. */
function fewerBehindSurname({ query, ...reading }: PersonNameReading): Clause[] {
  const ways = shorterNames(query.readings.filter((one) => !isLikely(one, query)));
  return ways.length > 0 ? [inPlace(withMostForenames(bestOf(ways)), reading)] : [];
}

/** Without a comma a first word is more likely a forename than the surname: JAMES THOMAS SCOTT is no THOMAS JAMES. */
function isLikely({ surname }: PersonQueryReading, { readings, whole }: PersonQuery): boolean {
  return readings.length === 1 || whole.endsWith(surname);
}

/** The surname, or one near it, and most of the words. */
function mostOfTheWords(query: PersonQuery): Clause[] {
  const { words, readings } = query;
  if (words.length < 3) return [];
  // `Jan van der Berg Amsterdam`, `John Paul Nomanby Bristol`: between forenames and what else is said. One word behind a single
  // forename is too little.
  const inside = surnamesAmong(words.slice(0, MOST_WORDS).slice(0, -1), 1).filter(
    ({ surname, given }) => given.length > 1 || !words.includes(surname),
  );
  const asSpelt = [...readings, ...inside].flatMap(({ surname, given }) =>
    // Tuned: the first forename is less than a word.
    mostForenames(given, words.length, { word: WORD_SCORE, first: WORD_SCORE / (words.length + 2) }).map(
      (most) => within(most, [term("names.surname", surname)]),
    ),
  );
  const nearly = likelyReadings(query).flatMap(({ surname, given }) =>
    mostForenames(given, words.length, { word: NEARLY, first: FIRST_LIFT }).map((most) => ({
      bool: { must: [most, nearWord("names.surname", surname)] },
    })),
  );
  return [withMostForenames(bestOf([...asSpelt, ...nearly]))];
}

/** Forenames that are most of so many words with their surname; of initials only the first counts, and only as that of the first. */
function mostForenames(given: string[], words: number, scores: { word: number; first: number }): Clause[] {
  const counted = given.filter((word, position) => position === 0 || !isInitial(word));
  const least = Math.max(1, mostWords(words) - (words - given.length));
  if (counted.length < least) return [];
  const present = counted.map((word) => {
    const has = isInitial(word) ? prefix("names.first", word) : term("names.given", word);
    return constant(has, scores.word / words);
  });
  const first = constant(someOf(anyOf("names.first", counted)), scores.first);
  return [{ bool: { must: [someOf(present, least)], should: [first] } }];
}

/** `Estate of Jane Quornsby`: a forename and a surname side by side, where they are not most of the words. */
function sideBySide({ words: all }: PersonQuery): Clause[] {
  const words = all.slice(0, MOST_WORDS);
  if (all.length < FEWEST_AROUND) return [];
  // In `Nomanby Mr Harold John` only forenames are behind the title.
  const pairs = surnamesAmong(words, 1)
    .filter(({ given }) => given.length > 0 && !SURE_TITLES.includes(given.at(-2) ?? ""))
    .map(({ surname, given }) => ({ surname, given: given.slice(-1) }));
  const scored = constant(someOf(pairs.map(surnameAndFirst)), WORD_SCORE / words.length);
  return [withMostForenames(scored)];
}
