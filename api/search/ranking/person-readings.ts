/**
 * Owns the ranking of people whom a query names among other things: surplus forenames, initials run together, titles,
 * a date of birth, a place. All of it stands below what the query finds as it is.
 */
import type { PersonQuery, PersonReading } from "../../../index-mappings/names/person-query.ts";
import {
  allOf,
  allWords,
  atTiersByNearness,
  bestOf,
  type Clause,
  constant,
  inNames,
  prefix,
  scoreOf,
  someOf,
  term,
  within,
} from "../clauses.ts";
import { isInitial } from "../edit-distance.ts";
import { type PersonNameReading, readPersonText } from "../reading/person.ts";
import { nearWord, nearWordOrInitial } from "./near.ts";
import { ALL_ANSWERED_LIFT, liftedIfAll, liftsOf, mostWords, READING_TIERS, WORD_SCORE } from "./readings.ts";

// Tuned: within the tier of whole names; a name that is all there is surer than one of which forenames are missing.
const WEIGHTS = { surnameAndFirst: 0.75, allWords: 0.5, initials: 0.125 };
const FEWER_FORENAMES = 0.5;
const MISSING_FORENAME = 1 / 16;
// Limit: of more forenames all combinations are not asked for; hardly anybody has as many.
const MOST_FORENAMES = 4;
const MOST_INITIALS = 4;
const MOST_WORDS = 6;

/** People by what the query says when it is read; none where there is nothing to read. */
export function personReadings(q: string, isTolerant: boolean): Clause[] {
  const reading = readPersonText(q);
  const { names, name } = reading;
  const read = [
    ...names.map(wholeName),
    ...fewerForenames([name, ...names.map(({ query }) => query)]),
    ...initialsRunTogether(name),
    ...mostOfTheWords(name),
    ...(isTolerant ? nearMostWords(name) : []),
  ];
  return read.length === 0
    ? []
    : [{ bool: { must: [bestOf(read)], should: liftsOf({ ...reading, numbers: [] }) } }];
}

/** The name without what stands beside it, as the tiers of the plain query have it. */
function wholeName({ query, place }: PersonNameReading): Clause {
  const { whole, words, readings } = query;
  const ways = [
    constant(term("names.full", whole), 1),
    constant(someOf(readings.map(surnameAndFirst)), WEIGHTS.surnameAndFirst),
    constant(allWords("names.person", words), WEIGHTS.allWords),
  ];
  const named = inNames(bestOf(ways.map((way) => atTiersByNearness(way, READING_TIERS.wholeName))));
  return within(lifted(named, ALL_ANSWERED_LIFT), place.length > 0 ? [allWords("address", place)] : []);
}

function lifted(clause: Clause, lift: number): Clause {
  return { bool: { must: [clause, constant({ match_all: {} }, lift)] } };
}

function surnameAndFirst({ surname, given: [first, ...further] }: PersonReading): Clause {
  return allOf([
    term("names.surname", surname),
    ...(first === undefined ? [] : [term("names.first", first)]),
    ...(further.length > 0 ? [allWords("names.given", further)] : []),
  ]);
}

/**
 * Names that have the surname and some of the forenames, or their initials, and no others: HAROLD NOMANBY and HAROLD J
 * NOMANBY for HAROLD JOHN NOMANBY.
 */
function fewerForenames(queries: PersonQuery[]): Clause[] {
  const byMissing = new Map<number, Set<string>>();
  for (const { surname, given } of queries.flatMap(({ readings }) => readings)) {
    if (given.length === 0 || given.length > MOST_FORENAMES) continue;
    for (const { kept, missing } of shortenings(given)) {
      const fulls = byMissing.get(missing) ?? new Set();
      byMissing.set(missing, fulls.add(kept + surname));
    }
  }
  return [...byMissing].map(([missing, fulls]) => {
    const filter = { terms: { "names.full": [...fulls] } };
    const weight = FEWER_FORENAMES - missing * MISSING_FORENAME;
    return lifted(
      inNames(atTiersByNearness(constant(filter, weight), READING_TIERS.wholeName)),
      ALL_ANSWERED_LIFT,
    );
  });
}

/** All ways to leave out forenames or to shorten them to initials, but to leave out all; what is lost is counted. */
function shortenings([first = "", ...others]: string[]): { kept: string; missing: number }[] {
  const initial = [...first][0] ?? "";
  const own = [
    { kept: first, missing: 0 },
    ...(isInitial(first) ? [] : [{ kept: initial, missing: 1 }]),
    { kept: "", missing: 2 },
  ];
  const rest = others.length > 0 ? shorteningsOrNone(others) : [{ kept: "", missing: 0 }];
  return own
    .flatMap((one) =>
      rest.map((other) => ({ kept: one.kept + other.kept, missing: one.missing + other.missing })),
    )
    .filter(({ kept, missing }) => kept !== "" && missing > 0);
}

function shorteningsOrNone(words: string[]): { kept: string; missing: number }[] {
  return [
    ...shortenings(words),
    { kept: words.join(""), missing: 0 },
    { kept: "", missing: 2 * words.length },
  ];
}

/** `HJ NOMANBY` */
function initialsRunTogether({ readings }: PersonQuery): Clause[] {
  return readings.flatMap(({ surname, given: [run, ...others] }) => {
    if (run === undefined || others.length > 0 || run.length < 2 || run.length > MOST_INITIALS) return [];
    const filter = allOf([term("names.surname", surname), prefix("names.run", run)]);
    return [inNames(atTiersByNearness(constant(filter, WEIGHTS.initials), READING_TIERS.wholeName))];
  });
}

/** The surname and most of the words. */
function mostOfTheWords({ words, readings }: PersonQuery): Clause[] {
  if (words.length < 3) return [];
  return readings.flatMap(({ surname, given }) => {
    const least = mostWords(words.length) - (words.length - given.length);
    if (given.length === 0 || least < 1) return [];
    const present = given.map((word) => constant(term("names.given", word), WORD_SCORE / words.length));
    const scored = within(someOf(present, least), [term("names.surname", surname)]);
    return [inNames(atTiersByNearness(scored, READING_TIERS.mostWords))];
  });
}

/** Most words nearly, in the name or in an address; the surname is among them. */
function nearMostWords({ words: all }: PersonQuery): Clause[] {
  const words = all.slice(0, MOST_WORDS);
  if (words.length < 2) return [];
  const counted = words.map((word) =>
    bestOf([
      lifted(inNames(nearWordOrInitial("names.person", word)), WORD_SCORE),
      constant(term("address", word), WORD_SCORE),
    ]),
  );
  const long = words.filter((word) => !isInitial(word));
  const surname = inNames(someOf(long.map((word) => nearWord("names.surname", word))));
  const tier = constant({ match_all: {} }, scoreOf(READING_TIERS.nearMostWords.current));
  const most = liftedIfAll(someOf(counted, Math.max(2, mostWords(words.length))), words.length);
  return long.length === 0 ? [] : [{ bool: { must: [tier, most], filter: [surname] } }];
}
