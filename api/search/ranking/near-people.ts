/**
 * Owns the ranking of people whose name is nearly that of a query: with slips, with a forename in two parts, with SAINT as ST; and
 * who has most of its words nearly. Surname and first forename come before other words, as they do where nothing is misspelt.
 */
import {
  MOST_SURNAME_WORDS,
  parsePersonQuery,
  type PersonQuery,
  type PersonReading,
  surnamesAmong,
} from "../../../index-mappings/names/person-name.ts";
import { allOf, bestOf, type Clause, constant, inNames, QUERY_WORDS, someOf, within } from "../clauses.ts";
import { isInitial } from "../../shared/values/nearness.ts";
import { withOtherSaint } from "../reading/short-forms.ts";
import { asEdits, nearWord, nearWordOrInitial, nearWords } from "../near-words.ts";
import { anyForename, enoughWords, surnameAndFirst, wholeName } from "./person-filters.ts";
import { mostOf, mostWords, nameOrAddress } from "./reading-scores.ts";

// Tuned: together less than one edit, and each more than what sets kinds apart; the surname counts for more (8.4).
const SURNAME_LIFT = 1 / 40;
export const FIRST_LIFT = 1 / 64;

// Limit: with more forenames none is looked for in two parts.
const MOST_FORENAMES = 4;
// Limit: words of a query that are compared with names and addresses.
const MOST_WORDS = 6;

/** All words nearly, in any order. */
export function nearNames(query: PersonQuery): Clause {
  const words = query.words.slice(0, QUERY_WORDS);
  const near = nearWords("names.person", words, nearWordOrInitial);
  const distinct = words.some(isInitial) ? enoughWords(words) : [];
  return bestOf([
    { bool: { must: [within(near, distinct)], should: nameLifts(query) } },
    ...query.readings.flatMap(joinedForenames),
  ]);
}

/** The words of which the tolerant body has near spellings: also surnames of several, each as one. */
export function personWords(query: PersonQuery): string[] {
  return [...query.words.slice(0, QUERY_WORDS), ...likelyReadings(query).map(({ surname }) => surname)];
}

/** Readings whose surname has few words, each as one. */
export function likelyReadings({ words, readings }: PersonQuery): PersonReading[] {
  if (words.length > MOST_WORDS) return [];
  return readings.filter(({ given }) => words.length - given.length <= MOST_SURNAME_WORDS);
}

function nameLifts(query: PersonQuery): Clause[] {
  const bySurname = likelyReadings(query).map(({ surname, given: [first] }) => {
    const filter = nearWord("names.surname", surname);
    return { filter, both: first === undefined ? [] : [filter, nearWordOrInitial("names.first", first)] };
  });
  const both = bySurname.map((one) => one.both).filter(({ length }) => length > 0);
  return [
    ...liftOf(
      bySurname.map(({ filter }) => filter),
      SURNAME_LIFT,
    ),
    ...liftOf(both.map(allOf), FIRST_LIFT),
  ];
}

function liftOf(ways: Clause[], lift: number): Clause[] {
  return ways.length > 0 ? [constant(someOf(ways), lift)] : [];
}

/** `Xiao Ming Szeto` for XIAOMING JOHN SZETO: a space more is an edit. Without further forenames the name is the same. */
function joinedForenames({ surname, given }: PersonReading): Clause[] {
  const [first, second, ...others] = given;
  if (first === undefined || second === undefined || given.length > MOST_FORENAMES) return [];
  return [asEdits(surnameAndFirst({ surname, given: [first + second, ...others] }), 1)];
}

/** Names that are the same but for a SAINT, which is ST as well. */
export function otherSaints(q: string): Clause[] {
  return withOtherSaint(q).map((other) => {
    const { whole, readings } = parsePersonQuery(other);
    const named = readings.filter(({ given }) => given.length > 0);
    const first = [wholeName(whole, readings), ...readings.map(surnameAndFirst)];
    const all = asEdits(someOf([...first, ...named.map(anyForename)]), 0);
    return { bool: { must: [all], should: [constant(someOf(first), FIRST_LIFT)] } };
  });
}

/** Most words nearly, in the name or in an address; the surname is among them. Single letters do not count. */
export function nearMostWords({ words: all }: PersonQuery): Clause[] {
  const words = all.filter((word) => !isInitial(word)).slice(0, MOST_WORDS);
  if (words.length < 2) return [];
  const counted = words.map((word) => nameOrAddress(inNames(nearWord("names.person", word)), word));
  const surname = inNames(someOf(nearSurnames(words)));
  const most = within(mostOf(counted, Math.max(2, mostWords(words.length))), [surname]);
  const first = inNames(constant(someOf(words.map((word) => nearWord("names.first", word))), FIRST_LIFT));
  return [{ bool: { must: [most], should: [first] } }];
}

/** One of the words as the surname, or neighbours as BOWESLYON: their words are most of many queries, so a forename is beside them. */
function nearSurnames(words: string[]): Clause[] {
  const joined = surnamesAmong(words, 2).map(({ surname }) => nearWord("names.surname", surname));
  const forename = someOf(words.map((word) => nearWord("names.given", word)));
  return [...words.map((word) => nearWord("names.surname", word)), allOf([someOf(joined), forename])];
}
