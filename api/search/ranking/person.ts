/** Owns the ranking of names of people: the tiers of the search reference 8.4 as clauses. */
import type { PersonQuery, PersonReading } from "../../../index-mappings/names/person-query.ts";
import { parsePersonQuery } from "../../../index-mappings/names/person-query.ts";
import type { Clause } from "../clauses.ts";
import {
  allBeginnings,
  allOf,
  allWords,
  atTier,
  bestOf,
  inNames,
  nearTerm,
  nearWords,
  QUERY_WORDS,
  someOf,
  term,
} from "../clauses.ts";
import { bodyClauses } from "./company.ts";

/** Name under which the matched name of an officer is told. */
export const MATCHED_PERSON = "person";

interface Match {
  tier: number;
  filter: Clause;
  distances?: Clause[];
}

// A former name never stands above this tier, and otherwise one below the current one.
const BEST_FORMER_TIER = 3;

/** People and bodies by current or former name. */
export function officerQuery(q: string, isTolerant: boolean): Clause {
  const people = matchesOf(parsePersonQuery(q), isTolerant).flatMap(({ tier, filter, distances }) => [
    atTier(tier, [term("names.current", true), filter], distances),
    atTier(Math.max(BEST_FORMER_TIER, tier + 1), [term("names.current", false), filter], distances),
  ]);
  return inNames(MATCHED_PERSON, bestOf([...people, ...bodyClauses(q, isTolerant)]));
}

function matchesOf(query: PersonQuery, isTolerant: boolean): Match[] {
  const words = query.words.slice(0, QUERY_WORDS);
  const [word] = words;
  if (word === undefined) return [];
  if (words.length === 1) return oneWordMatches(word, isTolerant);
  return [...wholeNameMatches(query), ...wordMatches(words, isTolerant)];
}

function oneWordMatches(word: string, isTolerant: boolean): Match[] {
  const strict = [
    { tier: 2, filter: term("names.surname", word) },
    { tier: 4, filter: term("names.others", word) },
    { tier: 5, filter: term("names.first", word) },
    { tier: 6, filter: allBeginnings("names.person", [word]) },
  ];
  if (!isTolerant) return strict;
  const distance = nearTerm("names.surname", word, undefined, 1);
  return [...strict, { tier: 9, filter: nearTerm("names.surname", word), distances: [distance] }];
}

/** Tiers in which the words are read as a surname and forenames. */
function wholeNameMatches({ whole, readings }: PersonQuery): Match[] {
  const withForenames = readings.filter((reading) => reading.given.length > 0);
  return [
    { tier: 1, filter: term("names.full", whole) },
    { tier: 2, filter: someOf(readings.map(firstForename)) },
    { tier: 3, filter: someOf(withForenames.map(anyForename)) },
    { tier: 5, filter: someOf(withForenames.map(forenameBeginnings)) },
  ];
}

/** Surname, first forename, and the further words among the forenames; or a surname of several words. */
function firstForename({ surname, given }: PersonReading): Clause {
  const [first, ...further] = given.slice(0, QUERY_WORDS);
  const clauses = [term("names.surname", surname)];
  if (first !== undefined) clauses.push(term("names.first", first));
  if (further.length > 0) clauses.push(allWords("names.given", further));
  return allOf(clauses);
}

function anyForename({ surname, given }: PersonReading): Clause {
  return allOf([term("names.surname", surname), allWords("names.given", given.slice(0, QUERY_WORDS))]);
}

function forenameBeginnings({ surname, given }: PersonReading): Clause {
  return allOf([term("names.surname", surname), allBeginnings("names.given", given.slice(0, QUERY_WORDS))]);
}

/** Tiers in which the words may stand anywhere in the name. */
function wordMatches(words: string[], isTolerant: boolean): Match[] {
  const strict = [
    { tier: 4, filter: allWords("names.person", words) },
    { tier: 6, filter: allBeginnings("names.person", words) },
  ];
  if (!isTolerant) return strict;
  const distance = nearWords("names.person", words, 1 / (words.length + 1));
  return [...strict, { tier: 9, filter: nearWords("names.person", words), distances: [distance] }];
}
