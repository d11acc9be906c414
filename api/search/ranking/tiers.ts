/**
 * Owns the tiers of the searches by name: the ways in which a name may match a query, each with its place (search reference
 * 8.3 and 8.4) and its reason, and what a tier is as a score. Nothing else states their order: clauses get their scores from
 * here, explanations their reasons, and of two names of a result the one that matches in a better tier is shown.
 */
import { allOf, type Clause, constant, IS_CURRENT } from "../clauses.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";

/** The tiers of a match: of the current name, and of a previous or former one. */
export interface Tiers {
  current: number;
  /** Absent when a previous name does not count. */
  previous?: number;
}

/** A way in which a name matches. */
export interface Way {
  tiers: Tiers;
  /** In the words of an explanation. */
  reason: string;
}

/** A way in which the name of a company or body matches. */
export interface NameWay extends Way {
  /** The tier of a body among officers, whose tiers combine several of those of companies. */
  body: number;
}

/** The tier of a company found by its number. */
export const NUMBER_WAY = { tiers: { current: 0 }, reason: "company-number" } as const;

/** Names of companies, and of bodies among officers. */
export const NAME_WAYS = {
  same: { tiers: { current: 1, previous: 3 }, body: 1, reason: "same-name" },
  sameButEnding: { tiers: { current: 2, previous: 3 }, body: 1, reason: "same-name-with-another-ending" },
  beginningWords: { tiers: { current: 4 }, body: 4, reason: "begins-with-words" },
  beginningLetters: { tiers: { current: 5, previous: 6 }, body: 5, reason: "begins-with-letters" },
  allWords: { tiers: { current: 7, previous: 8 }, body: 5, reason: "all-words" },
  beginningsOfWords: { tiers: { current: 9, previous: 10 }, body: 7, reason: "beginnings-of-words" },
  near: { tiers: { current: 11, previous: 12 }, body: 9, reason: "near-spelling" },
  mostWords: { tiers: { current: 13, previous: 14 }, body: 11, reason: "most-words" },
} as const satisfies Record<string, NameWay>;

/** A former name of a person is never above this tier, and otherwise one below the present name. */
const BEST_FORMER_TIER = 3;

function person<const R extends string>(current: number, reason: R) {
  return { tiers: { current, previous: Math.max(BEST_FORMER_TIER, current + 1) }, reason } as const;
}

/** Names of people, for a query of several words. */
export const PERSON_WAYS = {
  same: person(1, "same-name"),
  surnameAndFirst: person(2, "surname-and-first-forename"),
  surnameAndOther: person(3, "surname-and-other-forename"),
  allWords: person(4, "all-words"),
  surnameAndBeginnings: person(5, "surname-and-beginnings-of-forenames"),
  beginningsOfWords: person(6, "beginnings-of-words"),
  /** `Tony Blair` for ANTHONY BLAIR. */
  otherForm: person(8, "surname-and-short-form-of-forename"),
  near: person(9, "near-spelling"),
} satisfies Record<string, Way>;

/** Names of people, for a query of one word. */
export const ONE_WORD_WAYS = {
  surname: person(2, "surname"),
  otherForename: person(4, "other-forename-or-part-of-surname"),
  firstForename: person(5, "first-forename"),
  beginningsOfWords: person(6, "beginnings-of-words"),
  /** Forenames and surname without a space: `JaneQuornsby`. Letters that begin one word are likelier one word. */
  joined: { tiers: { current: 8, previous: 8 }, reason: "same-name" as const },
  near: person(9, "near-spelling"),
} satisfies Record<string, Way>;

/** What is found by reading more in a query than a name, for companies and people alike. */
export const READING_WAYS = {
  /**
   * A whole name among other words: together with names that have most words, because it has all of its own. A previous one is
   * above those, too, as it is where nothing stands beside it.
   */
  wholeName: { tiers: { current: 13 }, reason: "most-words" },
  /** Only the beginning of a company number, which is being typed. */
  number: { tiers: { current: 15 }, reason: "company-number" },
  /** Only a postcode. */
  postcode: { tiers: { current: 16 }, reason: "postcode" },
  /** A company number among other words. */
  numberAmongWords: { tiers: { current: 17 }, reason: "company-number" },
  /** Surname, as spelt or behind these nearly, and most of the forenames. */
  mostForenames: { tiers: { current: 18, previous: 19 }, reason: "surname-and-most-forenames" },
  /** Most words of the query, correct or misspelt, in the name or in the address. */
  nearMostWords: { tiers: { current: 20, previous: 21 }, reason: "near-spelling-of-most-words" },
} as const satisfies Record<string, Way>;

/** A whole name with all other words in its address: all of the query as spelt, above names that are nearly it by its band. */
export const CONFIRMED_WAY = NAME_WAYS.near;

/** Bands of a tier of readings: by how much of the query a result does not match. */
export const BANDS = {
  /** Words are missing. */
  partial: 0,
  /** All words are in the name or the address, some of them misspelt. */
  allNear: 1,
  /** A part of the query is the whole name; the address has the rest, or need not have it. */
  wholeName: 2,
} as const;

/** The band, in the tiers of these ways, of names that are the same under the same-as rules. */
export const SAME_AS_BAND = 1;
/** By whether the query has a legal ending: without one it may be half-typed, `Quillory Co` as QUILLORY COATES. */
export const SAME_AS_WAYS = { ended: NAME_WAYS.beginningLetters, open: NAME_WAYS.near } as const;

// Readings that are all of the query; the others have a part of it.
const WHOLE_READINGS: number[] = [READING_WAYS.number.tiers.current, READING_WAYS.postcode.tiers.current];

/** True for a hit that matches all of the query: as spelt, which is above the tiers of near names, or nearly. */
export function isAnswer({ index, score }: SearchHit, spelling: "exact" | "near"): boolean {
  if (score === null) return true;
  const { current, previous } = (index === "companies" ? NAME_WAYS : PERSON_WAYS).near.tiers;
  const tier = tierOf(score);
  return (spelling === "exact" ? tier < current : tier <= previous) || WHOLE_READINGS.includes(tier);
}

/** The tiers that previous or former names have in these ways, and present ones in none. */
export function tiersOfPrevious(...tables: Record<string, Way>[]): ReadonlySet<number> {
  const tiers = tables.flatMap(Object.values<Way>).map((way) => way.tiers);
  const current = new Set(tiers.map((one) => one.current));
  return new Set(tiers.flatMap(({ previous = [] }) => previous).filter((tier) => !current.has(tier)));
}

type ReasonOf<T extends Record<string, Way>> = T[keyof T]["reason"];

/** The reason of a result. */
export type Reason =
  | ReasonOf<typeof NAME_WAYS>
  | ReasonOf<typeof PERSON_WAYS>
  | ReasonOf<typeof ONE_WORD_WAYS>
  | ReasonOf<typeof READING_WAYS>
  | (typeof OTHER_REASONS)[number];

// Of names that are the same under the same-as rules, and of a band of the readings.
const OTHER_REASONS = ["company-number", "legally-equivalent-name", "name-among-other-words"] as const;

const WAYS: Record<string, Way>[] = [NAME_WAYS, PERSON_WAYS, ONE_WORD_WAYS, READING_WAYS];

/** Every reason that an explanation may give: the schema of the API lists them, and the pages have words for each. */
export const REASONS: readonly string[] = [
  ...new Set([...OTHER_REASONS, ...WAYS.flatMap(Object.values<Way>).map(({ reason }) => reason)]),
];

// Tuned: the score of a tier is a multiple of this. A tier may have bands, in which neither kind (20 at most) nor
// spelling (below 10) nor facts beside the name (10 at most) lift a result over the next one.
// Smaller gaps let a name with many near words overtake a better tier.
const TIER_GAP = 128;
/** The distance of two bands of a tier. */
export const BAND_GAP = 40;
const LOWEST_TIER = 24;

/** The least score of a tier. */
export function scoreOf(tier: number): number {
  return (LOWEST_TIER - tier) * TIER_GAP;
}

/** The band within its tier that a score belongs to. */
export function bandOf(score: number): number {
  return Math.floor((score % TIER_GAP) / BAND_GAP);
}

/** The tier that a score belongs to: the rest of the score is less than the gap between two tiers. */
export function tierOf(score: number): number {
  return LOWEST_TIER - Math.floor(score / TIER_GAP);
}

/** Names that match in one way; the score is the tier alone. */
export function atTiers(filter: Clause, { current, previous }: Tiers): Clause {
  if (previous === undefined) return constant(allOf([IS_CURRENT, filter]), scoreOf(current));
  const lift = constant(IS_CURRENT, scoreOf(current) - scoreOf(previous));
  return { bool: { must: [constant(filter, scoreOf(previous))], should: [lift] } };
}

/** Names that match in one way by degrees: a score of the clause's own, below 10, shows how near a name of the tier is. */
export function atTiersByNearness(scored: Clause, tiers: Tiers): Clause {
  return { bool: { must: [scored, atTiers({ match_all: {} }, tiers)] } };
}

/** Documents that match in another way than by one of their names. */
export function atTier(filter: Clause, tier: number): Clause {
  return constant(filter, scoreOf(tier));
}
