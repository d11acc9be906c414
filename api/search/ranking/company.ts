/** Ranks names of companies and bodies: the tiers of the search reference 8.3 as clauses. */
import {
  type CompanyName,
  parseCompanyName,
  parseQueryNumber,
} from "../../../index-mappings/names/company-name.ts";
import { allOf, bestOf, type Clause, constant, inNames, IS_CURRENT, QUERY_WORDS, term } from "../clauses.ts";
import { readCompanyText } from "../reading/company.ts";
import type { Phase } from "../../shared/definitions/search-result.ts";
import { sameAsKey } from "../../../index-mappings/names/same-as.ts";
import { type Beside, letterMatches, type Match, partialMatches, wholeMatches } from "./company-matches.ts";
import { exactReadings, hasUncounted, type ReadNames, readingClauses } from "./company-readings.ts";
import { atWholeNames, plus } from "./reading-scores.ts";
import {
  atTier,
  atTiers,
  atTiersByNearness,
  BAND_GAP,
  NUMBER_WAY,
  READING_WAYS,
  SAME_AS_BAND,
  SAME_AS_WAYS,
  scoreOf,
  type Tiers,
} from "./tiers.ts";

const NUMBER_TIER = NUMBER_WAY.tiers.current;

// How readings match companies: by whole names, present and previous, and by near spellings of both.
const COMPANY_NAMES: ReadNames = {
  atTiers: (filter) => atWholeNames(constant(filter, 0)),
  entries: IS_CURRENT,
  former: term("names.current", false),
  hasSameAs: true,
};

/** Companies that the query names exactly, among other words. These clauses cost the engine little. */
export function companiesNamedIn(q: string): Clause[] {
  return exactReadings(readCompanyText(q), COMPANY_NAMES);
}

/** Companies by number, by current or previous name and, in the read phase, by what was read in the query. */
export function companyQuery(q: string, phase: Phase, beside: Beside = { byALetter: true }): Clause {
  const name = parseCompanyName(q);
  const whole = byNumberOrName(q, [...wholeMatches(name, phase), ...letterMatches(name, phase, beside)]);
  const same = sameAs(name, phase);
  if (phase === "strict") return same.length > 0 ? bestOf([whole, ...same]) : whole;
  const partial = partialMatches(name);
  if (phase === "tolerant")
    return bestOf([byNumberOrName(q, [...wholeMatches(name, phase), ...partial]), ...same]);
  return withReading(q, bestOf([whole, ...same]), {
    names: COMPANY_NAMES,
    partial: partial.map((match) => inNames(toClause(match, match.tiers))),
  });
}

/**
 * Companies whose present name is the same under the same-as rules; the more words of the query it has, the better. A
 * query with a legal ending is a complete name: then they rank above names that only begin with its letters.
 */
function sameAs(name: CompanyName, phase: Phase): Clause[] {
  const isEnded = name.end !== "NONE";
  if (phase === "strict" && !(isEnded && hasUncounted(name))) return [];
  const words = name.words.slice(0, QUERY_WORDS);
  const present = words.map((word) => constant(term("names.text", word), 1 / words.length));
  const inPresent = inNames({ bool: { filter: [IS_CURRENT], should: present } });
  const same = { bool: { filter: [term("same_as", sameAsKey(name))], should: [inPresent] } };
  const way = isEnded ? SAME_AS_WAYS.ended : SAME_AS_WAYS.open;
  return [plus(same, scoreOf(way.tiers.current) + SAME_AS_BAND * BAND_GAP)];
}

function withReading(q: string, whole: Clause, options: { names: ReadNames; partial: Clause[] }): Clause {
  return bestOf([whole, ...readingClauses(readCompanyText(q), options)]);
}

/** Companies whose names match in these ways and, if the query is a number, the company with that number. */
export function byNumberOrName(q: string, matches: Match[]): Clause {
  const byName = inNames(bestOf(matches.map((match) => toClause(match, match.tiers))));
  const number = parseQueryNumber(q);
  return number ? bestOf([atTier(term("id", number), NUMBER_TIER), byName]) : byName;
}

/**
 * Companies by number, and by only their current or only their previous names. Previous names then have the tiers of
 * current names, and a number finds only companies that have a previous name.
 */
export function companyQueryOver(sort: "current" | "previous", q: string, phase: Phase): Clause {
  const name = parseCompanyName(q);
  const ofSort = term("names.current", sort === "current");
  const toTiers = (match: Match) =>
    toClause(match, { current: match.tiers.current, previous: match.tiers.current });
  const over = (clauses: Clause[]) => inNames({ bool: { filter: [ofSort], must: [bestOf(clauses)] } });
  const number = parseQueryNumber(q);
  const byNumber = number ? [atTier(allOf([term("id", number), inNames(ofSort)]), NUMBER_TIER)] : [];
  const partial = phase === "strict" ? [] : partialMatches(name).map(toTiers);
  const whole = [...wholeMatches(name, phase), ...letterMatches(name, phase)].map(toTiers);
  const exact = [...byNumber, ...(sort === "current" ? sameAs(name, phase) : [])];
  if (phase !== "read") return bestOf([...exact, over([...whole, ...partial])]);
  const score = scoreOf(READING_WAYS.wholeName.tiers.current);
  const names: ReadNames = {
    atTiers: (filter) => constant(allOf([ofSort, filter]), score),
    entries: ofSort,
    hasSameAs: sort === "current",
  };
  return withReading(q, bestOf([...exact, over(whole)]), {
    names,
    partial: partial.map((clause) => over([clause])),
  });
}

/** Clauses over the names of bodies among officers. Their previous names are unknown. */
export function bodyClauses(q: string, phase: Phase): Clause[] {
  const name = parseCompanyName(q);
  const partial = phase === "tolerant" ? partialMatches(name) : [];
  return [...wholeMatches(name, phase), ...partial].map(toBodyClause);
}

/** Bodies among officers, by what was read in the query. */
export function bodyReadings(q: string): Clause[] {
  return readingClauses(readCompanyText(q), {
    names: { atTiers: (filter) => atWholeNames(constant(filter, 0)), entries: IS_CURRENT, areBodies: true },
    partial: partialMatches(parseCompanyName(q)).map((match) => inNames(toBodyClause(match))),
  });
}

function toBodyClause(match: Match): Clause {
  return toClause(match, { current: match.way.body });
}

function toClause({ query }: Match, tiers: Tiers): Clause {
  return "scored" in query ? atTiersByNearness(query.scored, tiers) : atTiers(query.filter, tiers);
}
