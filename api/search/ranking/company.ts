/** Owns the ranking of names of companies and bodies: the tiers of the search reference 8.3 as clauses. */
import type { CompanyName } from "../../../index-mappings/names/company-name.ts";
import { nameLine, parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { parseQueryNumber } from "../../../index-mappings/names/query-number.ts";
import type { Clause } from "../clauses.ts";
import {
  allBeginnings,
  allWords,
  atTier,
  bestOf,
  inNames,
  nearTerm,
  nearWords,
  prefix,
  QUERY_WORDS,
  someOf,
  term,
} from "../clauses.ts";

/** Name under which the matched name of a company is told. */
export const MATCHED_COMPANY = "company";

/** How a name answers a query, before anything is said of its tier. */
interface Match {
  tier: number;
  /** Tier of a previous name that matches so; absent where no previous name may. */
  previousTier?: number;
  filter: Clause[];
  distances?: Clause[];
}

const NUMBER_TIER = 0;
// Tuned: 60 % of the words as a number; Elasticsearch's percentage rounds down, so one of two would do.
const SHARE_OF_WORDS = 0.6;
// A key this short is near too many others.
const SHORT_KEY = 5;

/** Companies by number and by current or previous name. */
export function companyQuery(q: string, isTolerant: boolean): Clause {
  const name = parseCompanyName(q);
  const number = parseQueryNumber(q);
  const clauses = matchesOf(name, isTolerant).flatMap(({ tier, previousTier, filter, distances }) => [
    atTier(tier, [term("names.current", true), ...filter], distances),
    ...(previousTier === undefined
      ? []
      : [atTier(previousTier, [term("names.current", false), ...filter], distances)]),
  ]);
  const byName = inNames(MATCHED_COMPANY, bestOf(clauses));
  return number ? bestOf([atTier(NUMBER_TIER, [term("id", number)]), byName]) : byName;
}

// Tiers of bodies among officers (search reference 8.4).
const BODY_TIERS: Record<number, number> = { 1: 1, 2: 1, 4: 4, 5: 5, 7: 5, 9: 7, 11: 9, 13: 11 };

/** Clauses over the names of bodies among officers. */
export function bodyClauses(q: string, isTolerant: boolean): Clause[] {
  return matchesOf(parseCompanyName(q), isTolerant).map(({ tier, filter, distances }) =>
    atTier(BODY_TIERS[tier] ?? tier, filter, distances),
  );
}

function matchesOf(name: CompanyName, isTolerant: boolean): Match[] {
  const words = name.words.slice(0, QUERY_WORDS);
  const strict = [...equalMatches(name), ...(words.length > 0 ? strictMatches(name.key, words) : [])];
  return isTolerant && words.length > 0 ? [...strict, ...tolerantMatches(name.key, words)] : strict;
}

function equalMatches({ key, end }: CompanyName): Match[] {
  const equal = term("names.key", key);
  if (end === "NONE") return [{ tier: 1, previousTier: 3, filter: [equal] }];
  return [
    { tier: 1, filter: [equal, term("names.end", end)] },
    { tier: 2, previousTier: 3, filter: [equal] },
  ];
}

function strictMatches(key: string, words: string[]): Match[] {
  return [
    { tier: 4, filter: [prefix("names.line", nameLine(words))] },
    { tier: 5, previousTier: 6, filter: [prefix("names.key", key)] },
    { tier: 7, previousTier: 8, filter: [allWords("names.text", words)] },
    { tier: 9, previousTier: 10, filter: [allBeginnings("names.text", words)] },
  ];
}

function tolerantMatches(key: string, words: string[]): Match[] {
  const boost = 1 / (words.length + 1);
  const isLong = key.length > SHORT_KEY;
  const near = [nearWords("names.text", words), ...(isLong ? [nearTerm("names.key", key, "2")] : [])];
  const nearness = [
    nearWords("names.text", words, boost),
    ...(isLong ? [nearTerm("names.key", key, "2", boost)] : []),
  ];
  const matches = [{ tier: 11, previousTier: 12, filter: [someOf(near)], distances: nearness }];
  if (words.length < 2) return matches;

  const present = words.map((word) => term("names.text", word));
  const count = Math.ceil(SHARE_OF_WORDS * words.length);
  const presence = present.map((filter) => ({ constant_score: { filter, boost } }));
  return [...matches, { tier: 13, previousTier: 14, filter: [someOf(present, count)], distances: presence }];
}
