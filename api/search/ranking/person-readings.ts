/**
 * Ranks people whom a query names among other words: extra forenames, joined initials, titles, a date of birth, a
 * place. All of these rank below what the plain query finds.
 */
import {
  type PersonQuery,
  type PersonReading as PersonQueryReading,
  SURE_TITLES,
  surnamesAmong,
} from "../../../index-mappings/names/person-name.ts";
import {
  allWords,
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
import { withoutPlace, type PersonNameReading, readPersonText } from "../reading/person.ts";
import { hasSaint, withOtherSaint } from "../reading/short-forms.ts";
import { shorterNames } from "./fewer-forenames.ts";
import { FIRST_LIFT, likelyReadings, nearMostWords } from "./near-people.ts";
import { forenameBeginnings, initialsInOrder, otherForms, surnameAndFirst } from "./person-filters.ts";
import { asWholeName, atWholeNames, inPlace, liftsOf, mostWords, WORD_SCORE } from "./reading-scores.ts";
import { atTiersByNearness, BAND_GAP, READING_WAYS } from "./tiers.ts";

// Tuned: within the tier of whole names. A complete name is more certain than one without some forenames. Names with a
// forename for each initial come before names without: JOHN MARK before JOHN for `John M`; initials in order come
// before others. The first three differ by more than the lift of a present name over a former one. So the order is that
// of the plain query (8.4): the same name, the first forename, the same former name, all words.
const WEIGHTS = {
  surnameAndFirst: 0.78,
  allWords: 0.5,
  run: 0.49,
  initials: 0.46,
  beginnings: 0.22,
  half: 0.2,
};
// Tuned: for `Theresa May 1956` first THERESA MAY of 1956, then a THERESA of May 1956, then THERESA MAY of other years.
const MONTH_IN_NAME = 2;
// Tuned: ST JUST as typed comes before SAINT JUST with the same forenames.
const OTHER_SAINT = -0.125;
// Tuned: beside a misspelt surname a forename counts for less. Names with equally many words as spelt come before,
// names with fewer words come after: for `John Thomas Peregrine Clrak` JOHN THOMAS CLARK comes before JOHN THOMAS.
const NEARLY = (WORD_SCORE * 3) / 4;
const MOST_WORDS = 6;
// With three words, a forename and a surname are already most of them (see mostOfTheWords).
const FEWEST_AROUND = 4;

/** People by what was read in the query; empty if nothing was read. */
export function personReadings(q: string): Clause[] {
  const reading = readPersonText(q);
  const { name, withMonth } = reading;
  const names = [...reading.names, ...withOtherSaint(q).flatMap(namesOfSaints)];
  const all = [withoutPlace(name), ...names];
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

/** The exact name of one of two people. It ranks above names with further forenames, whatever their kinds. */
function sameName({ query, ...reading }: PersonNameReading): Clause {
  return inWholeNames(constant(term("names.full", query.whole), 1), { ...reading, isOfTwo: false });
}

/** KIRSTY REYNOLDS or KIRSTY ANN REYNOLDS for `kirstyreynolds`: every split is searched, and few find a name. */
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

/** The whole name without an agreeing address. Before words that may be forenames it needs a forename and a surname. */
function unconfirmed({ query, behind }: PersonNameReading): Clause {
  const scored = behind === "words" ? withForename(query) : asRead(query);
  return withMostForenames(scored);
}

/** Entries of `names`, at the tiers of names with most of the forenames. */
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

/** The name with the word of the month, exactly: MAR does not stand for MARK. */
function monthInName(query: PersonQuery): Clause {
  return inWholeNames(bestOf(asSpelt(query)), { weight: MONTH_IN_NAME });
}

/** Clauses for names that have all words as spelt. */
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

/** Entries of `names`, in the band of whole names; one of two people in the band below. */
function inWholeNames(scored: Clause, reading: Partial<PersonNameReading> = {}): Clause {
  const { isOfTwo = false, weight = 0, place = [], agreeing = 0 } = reading;
  const named = inNames(atWholeNames(scored));
  return inPlace(asWholeName(named, isOfTwo ? weight - BAND_GAP : weight), { place, agreeing });
}

/** Names with only some forenames, or initials: HAROLD NOMANBY, HAROLD J NOMANBY for `Harold John Nomanby`. */
export function fewerForenames({ query, ...reading }: PersonNameReading): Clause[] {
  const ways = shorterNames(query.readings.filter((one) => isLikely(one, query)));
  return ways.length > 0 ? [inWholeNames(bestOf(ways), reading)] : [];
}

/** The same where the surname comes first in the query, which is less likely. */
function fewerBehindSurname({ query, ...reading }: PersonNameReading): Clause[] {
  const ways = shorterNames(query.readings.filter((one) => !isLikely(one, query)));
  return ways.length > 0 ? [inPlace(withMostForenames(bestOf(ways)), reading)] : [];
}

/** True if the surname is last, or before a comma: `James Thomas Scott` is more likely a SCOTT than a JAMES. */
function isLikely({ surname }: PersonQueryReading, { readings, whole }: PersonQuery): boolean {
  return readings.length === 1 || whole.endsWith(surname);
}

/** Names with the surname, or a surname near it, and with most of the words. */
function mostOfTheWords(query: PersonQuery): Clause[] {
  const { words, readings } = query;
  if (words.length < 3) return [];
  // Surnames before other words: `Jan van der Berg Amsterdam`; of one word only after two forenames.
  const inside = surnamesAmong(words.slice(0, MOST_WORDS).slice(0, -1), 1).filter(
    ({ surname, given }) => given.length > 1 || !words.includes(surname),
  );
  const asSpelt = [...readings, ...inside].flatMap(({ surname, given }) =>
    // Tuned: a match of the first forename counts for less than one more word.
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

/**
 * Forenames that are, with the surname, most of the words. An initial counts only if it comes first, and only as that of
 * the first forename.
 */
function mostForenames(given: string[], words: number, scores: { word: number; first: number }): Clause[] {
  const counted = given.filter((word, position) => position === 0 || !isInitial(word));
  const least = Math.max(1, mostWords(words) - (words - given.length));
  if (counted.length < least) return [];
  const present = counted.map((word) => {
    const has = isInitial(word) ? prefix("names.first", word) : term("names.given", word);
    return constant(has, scores.word / words);
  });
  const first = constant({ terms: { "names.first": counted } }, scores.first);
  return [{ bool: { must: [someOf(present, least)], should: [first] } }];
}

/** A forename and a surname side by side that are not most of the words: `Estate of Jane Quornsby`. */
function sideBySide({ words: all }: PersonQuery): Clause[] {
  const words = all.slice(0, MOST_WORDS);
  if (all.length < FEWEST_AROUND) return [];
  // Not right after a title: in `Nomanby Mr Harold John` only forenames follow it.
  const pairs = surnamesAmong(words, 1)
    .filter(({ given }) => given.length > 0 && !SURE_TITLES.includes(given.at(-2) ?? ""))
    .map(({ surname, given }) => ({ surname, given: given.slice(-1) }));
  const scored = constant(someOf(pairs.map(surnameAndFirst)), WORD_SCORE / words.length);
  return [withMostForenames(scored)];
}
