/**
 * Ranks people whose name is near the query: misspelt, with a forename in two parts, with SAINT as ST, or with most of
 * its words. Surname and first forename count for more than other words, as they do in exact matches.
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
import { mostOf, nameOrAddress } from "./reading-scores.ts";

// Tuned: together less than one edit, and each more than what separates kinds. The surname counts for more (8.4).
const SURNAME_LIFT = 1 / 40;
export const FIRST_LIFT = 1 / 64;

// Limit: with more forenames, none is searched in two parts.
const MOST_FORENAMES = 4;
// Limit: further words of a query are not compared with names and addresses.
const MOST_WORDS = 6;

/** People whose names have all words of the query or words near them, in any order. */
export function nearNames(query: PersonQuery): Clause {
  const words = query.words.slice(0, QUERY_WORDS);
  const near = nearWords("names.person", words, nearWordOrInitial);
  const distinct = words.some(isInitial) ? enoughWords(words) : [];
  return bestOf([
    { bool: { must: [within(near, distinct)], should: nameLifts(query) } },
    ...query.readings.flatMap(joinedForenames),
  ]);
}

/** The words whose near spellings the tolerant body needs, including surnames of several words joined to one. */
export function personWords(query: PersonQuery): string[] {
  return [...query.words.slice(0, QUERY_WORDS), ...likelyReadings(query).map(({ surname }) => surname)];
}

/** The readings whose surname has few words; none for a long query. */
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

/** XIAOMING JOHN SZETO for `Xiao Ming Szeto`: the space is one edit. XIAOMING SZETO is found as the same name. */
function joinedForenames({ surname, given }: PersonReading): Clause[] {
  const [first, second, ...others] = given;
  if (first === undefined || second === undefined || given.length > MOST_FORENAMES) return [];
  return [asEdits(surnameAndFirst({ surname, given: [first + second, ...others] }), 1)];
}

/** Names that equal the query with SAINT in place of ST, or ST in place of SAINT. */
export function otherSaints(q: string): Clause[] {
  return withOtherSaint(q).map((other) => {
    const { whole, readings } = parsePersonQuery(other);
    const named = readings.filter(({ given }) => given.length > 0);
    const first = [wholeName(whole, readings), ...readings.map(surnameAndFirst)];
    const all = asEdits(someOf([...first, ...named.map(anyForename)]), 0);
    return { bool: { must: [all], should: [constant(someOf(first), FIRST_LIFT)] } };
  });
}

/** Most words, or words near them, in the name or an address; one is the surname. Single letters do not count. */
export function nearMostWords({ words: all }: PersonQuery): Clause[] {
  const words = all.filter((word) => !isInitial(word)).slice(0, MOST_WORDS);
  if (words.length < 2) return [];
  const counted = words.map((word) => nameOrAddress(inNames(nearWord("names.person", word)), word));
  const surname = inNames(someOf(nearSurnames(words)));
  const most = within(mostOf(counted), [surname]);
  const first = inNames(constant(someOf(words.map((word) => nearWord("names.first", word))), FIRST_LIFT));
  return [{ bool: { must: [most], should: [first] } }];
}

/**
 * Clauses for one word as the surname, or for neighbours joined to one, such as BOWESLYON. Two such words are already
 * most of many queries, so a joined surname needs a forename beside it.
 */
function nearSurnames(words: string[]): Clause[] {
  const joined = surnamesAmong(words, 2).map(({ surname }) => nearWord("names.surname", surname));
  const forename = someOf(words.map((word) => nearWord("names.given", word)));
  return [...words.map((word) => nearWord("names.surname", word)), allOf([someOf(joined), forename])];
}
