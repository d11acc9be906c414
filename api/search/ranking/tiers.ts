/**
 * The tiers of the searches by name: the ways in which a name may match a query, each with its tier (search reference
 * 8.3 and 8.4) and its reason, and the score of a tier. Their order is stated only here: clauses take their scores from
 * this table, and explanations their reasons. If two names of a result match, the one in the better tier is shown.
 */
import { allOf, type Clause, constant, IS_CURRENT } from "../clauses.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";

/** The tiers of a match: for the current name, and for a previous or former one. 0 is best. */
export interface Tiers {
  current: number;
  /** Absent if previous names do not match in this way. */
  previous?: number;
}

/** A way in which a name matches. */
export interface Way {
  tiers: Tiers;
  /** The reason that an explanation gives. */
  reason: string;
}

/** A way in which the name of a company or body matches. */
export interface NameWay extends Way {
  /** The tier of a body among officers. Each such tier combines several tiers of companies. */
  body: number;
}

/** The tier of a company found by its number. */
export const NUMBER_WAY = { tiers: { current: 0 }, reason: "company-number" } as const;

/** The ways in which names of companies, and of bodies among officers, match. */
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

/** A former name of a person is one tier below the present name, and never above this tier. */
const BEST_FORMER_TIER = 3;

function person<const R extends string>(current: number, reason: R) {
  return { tiers: { current, previous: Math.max(BEST_FORMER_TIER, current + 1) }, reason } as const;
}

/** The ways in which names of people match a query of several words. */
export const PERSON_WAYS = {
  same: person(1, "same-name"),
  surnameAndFirst: person(2, "surname-and-first-forename"),
  surnameAndOther: person(3, "surname-and-other-forename"),
  allWords: person(4, "all-words"),
  surnameAndBeginnings: person(5, "surname-and-beginnings-of-forenames"),
  beginningsOfWords: person(6, "beginnings-of-words"),
  /** ANTHONY BLAIR for `Tony Blair`. */
  otherForm: person(8, "surname-and-short-form-of-forename"),
  near: person(9, "near-spelling"),
} satisfies Record<string, Way>;

/** The ways in which names of people match a query of one word. */
export const ONE_WORD_WAYS = {
  surname: person(2, "surname"),
  otherForename: person(4, "other-forename-or-part-of-surname"),
  firstForename: person(5, "first-forename"),
  beginningsOfWords: person(6, "beginnings-of-words"),
  /** Forename and surname without a space: `JaneQuornsby`. Names with a word that begins with it rank above. */
  joined: { tiers: { current: 8, previous: 8 }, reason: "same-name" as const },
  near: person(9, "near-spelling"),
} satisfies Record<string, Way>;

/** The ways in which a query that was read as more than a name matches, for companies and people alike. */
export const READING_WAYS = {
  /**
   * A whole name among other words. It shares the tier of names that have most words, and ranks above these by its
   * band. That holds for previous names, too, as it does for a query of nothing but a name.
   */
  wholeName: { tiers: { current: 13 }, reason: "most-words" },
  /** The query is only the beginning of a company number, which is being typed. */
  number: { tiers: { current: 15 }, reason: "company-number" },
  /** The query is only a postcode. */
  postcode: { tiers: { current: 16 }, reason: "postcode" },
  /** A company number among other words. */
  numberAmongWords: { tiers: { current: 17 }, reason: "company-number" },
  /** The surname and most of the forenames. Surnames as spelt come first, then near ones. */
  mostForenames: { tiers: { current: 18, previous: 19 }, reason: "surname-and-most-forenames" },
  /** Most words of the query, correct or misspelt, in the name or in the address. */
  nearMostWords: { tiers: { current: 20, previous: 21 }, reason: "near-spelling-of-most-words" },
} as const satisfies Record<string, Way>;

/** A whole name whose address has all other words. As spelt, it ranks above near names by its band. */
export const CONFIRMED_WAY = NAME_WAYS.near;

/** Bands within a tier of readings, by how much of the query a result matches. */
export const BANDS = {
  /** Words are missing. */
  partial: 0,
  /** All words are in the name or the address, some of them misspelt. */
  allNear: 1,
  /** The whole name is a part of the query; the address has the rest, or need not have it. */
  wholeName: 2,
} as const;

/** The band, in the tiers of these ways, of names that are the same under the same-as rules. */
export const SAME_AS_BAND = 1;
/** Without a legal ending the query may be half-typed: `Quillory Co` for QUILLORY COATES. */
export const SAME_AS_WAYS = { ended: NAME_WAYS.beginningLetters, open: NAME_WAYS.near } as const;

// Readings that match all of the query; the others match a part of it.
const WHOLE_READINGS: number[] = [READING_WAYS.number.tiers.current, READING_WAYS.postcode.tiers.current];

/** True for a hit that matches all of the query: "exact" as spelt, in a tier above near names; "near" also nearly. */
export function isAnswer({ index, score }: SearchHit, spelling: "exact" | "near"): boolean {
  if (score === null) return true;
  const { current, previous } = (index === "companies" ? NAME_WAYS : PERSON_WAYS).near.tiers;
  const tier = tierOf(score);
  return (spelling === "exact" ? tier < current : tier <= previous) || WHOLE_READINGS.includes(tier);
}

/** The tiers that only previous or former names have in these ways. */
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

// Reasons of company numbers, of names that are the same by the same-as rules, and of whole names among other words.
const OTHER_REASONS = ["company-number", "legally-equivalent-name", "name-among-other-words"] as const;

const WAYS: Record<string, Way>[] = [NAME_WAYS, PERSON_WAYS, ONE_WORD_WAYS, READING_WAYS];

/** Every reason that an explanation may give. The schema of the API lists them, and the pages have a text for each. */
export const REASONS: readonly string[] = [
  ...new Set([...OTHER_REASONS, ...WAYS.flatMap(Object.values<Way>).map(({ reason }) => reason)]),
];

// Tuned: the score of a tier is a multiple of this. A tier may have bands: neither kind (20 at most) nor spelling
// (below 10) nor facts beside the name (10 at most) lift a result into the next band. With smaller gaps a name with
// many near words overtook a better tier.
const TIER_GAP = 128;
/** The distance between two bands of a tier. */
export const BAND_GAP = 40;
const LOWEST_TIER = 24;

/** The lowest score of a tier. */
export function scoreOf(tier: number): number {
  return (LOWEST_TIER - tier) * TIER_GAP;
}

/** The band within its tier that a score belongs to. */
export function bandOf(score: number): number {
  return Math.floor((score % TIER_GAP) / BAND_GAP);
}

/** The tier that a score belongs to. */
export function tierOf(score: number): number {
  return LOWEST_TIER - Math.floor(score / TIER_GAP);
}

/** Names that match the filter, at these tiers; the tier alone makes the score. */
export function atTiers(filter: Clause, { current, previous }: Tiers): Clause {
  if (previous === undefined) return constant(allOf([IS_CURRENT, filter]), scoreOf(current));
  const lift = constant(IS_CURRENT, scoreOf(current) - scoreOf(previous));
  return { bool: { must: [constant(filter, scoreOf(previous))], should: [lift] } };
}

/** Names that match, at these tiers. The clause's score, below 10, shows how near a name is within its tier. */
export function atTiersByNearness(scored: Clause, tiers: Tiers): Clause {
  return { bool: { must: [scored, atTiers({ match_all: {} }, tiers)] } };
}

/** Documents that match by something other than a name, at this tier. */
export function atTier(filter: Clause, tier: number): Clause {
  return constant(filter, scoreOf(tier));
}
