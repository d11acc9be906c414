/** Owns the types of matching: questions, candidates, and how those of one type are found and compared. */
import type { Clause } from "../search/clauses.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";

export const MATCH_TYPES = ["company", "officer", "disqualified-officer"] as const;

export type MatchType = (typeof MATCH_TYPES)[number];

/** One row of a list: a name, and known facts beside it, in the caller's form. */
export interface MatchQuestion {
  type: MatchType;
  /** May be empty when a number is given. */
  name: string;
  /** Number of the company, or of one that a person belongs to. Letter case and missing zeros are ignored. */
  number?: string | undefined;
  postcode?: string | undefined;
  town?: string | undefined;
  /** Status of the company in the register's words: `active`, `dissolved`. */
  status?: string | undefined;
  /** Date, month or year of birth, in any usual form. */
  born?: string | undefined;
}

/** The facts compared besides the name. */
export const FACTS = ["number", "postcode", "town", "status", "born"] as const;

export type Fact = (typeof FACTS)[number];

/** A fact beside the name that is known on both sides: how it compares, and its part of the explanation. */
export interface FactFound {
  agreement: "agrees" | "differs";
  reason: string;
  /** True for one that too many share to confirm a name: a year of birth, the first half of a postcode. */
  isVague?: boolean;
}

export type FactsFound = Partial<Record<Fact, FactFound>>;

/**
 * The degrees of similarity, the strongest first. `exact`: equal, legal ending included. `same`: equal without
 * an ending. `slip`: one letter of a long name with its ending. `likely`: equal to a part of the text; it needs a fact that
 * agrees. `near`: a few letters, words that same-as rules ignore, or a part that hardly is the whole name; it needs a
 * postcode, number or birth that agrees.
 * `weak`: never a match.
 */
export const STRENGTHS = ["exact", "same", "slip", "likely", "near", "weak"] as const;

export type Strength = (typeof STRENGTHS)[number];

/** How similar two names are. */
export interface Likeness {
  strength: Strength;
  /** From 0 to 100. */
  score: number;
  /** In words: `same name`. */
  reason: string;
  /** True for a longer name that has all words as spelt: it is possible where another one is merely near. */
  hasAllWords?: boolean;
  /** True for a name that is all of the text with another ending, or begins with it where the text may be cut off. */
  hasWholeText?: boolean;
  /** True for a likely name before a comma: what is behind that may be a town. */
  isBeforeComma?: boolean;
  /**
   * True where the text has more than the name, an alias, a status or a country behind its ending, or has that country
   * elsewhere, and where its ending is a guess.
   */
  isReworded?: boolean;
  /** True for a forename with another letter, Joan for John: it needs a birth, since a family shares the rest. */
  isOfFamily?: boolean;
  /** Key of the register's name in the comparison, if it has one. */
  key?: string;
}

export interface Candidate {
  type: MatchType;
  /** Company number, or identifier of the officer. */
  id: string;
  name: string;
  /** Status of a company, or `disqualified until 2031-05-01`; null when there is none. */
  status: string | null;
  description: string;
  /** From 0 to 100. */
  score: number;
  /** True: right in at least 99 of 100 cases. At most one candidate of a question is the match. */
  match: boolean;
  /** The reasons of the score and the decision, in words. */
  reasons: string[];
  /** The parts of the score: `name` from 0 to 100, and each fact that is known on both sides. */
  features: Partial<Record<"name" | Fact, number | boolean>>;
}

export interface MatchResult {
  /** The best first. */
  candidates: Candidate[];
  /** The parts of the question that could not be used, in words. */
  notes: string[];
}

/** A candidate before the decision: its names and facts are compared. */
export interface Compared extends Pick<Candidate, "type" | "id" | "name" | "status" | "description"> {
  /** Null where the question has no name, only a number. */
  likeness: Likeness | null;
  facts: FactsFound;
  /** True for the company with the given number. */
  isByNumber: boolean;
}

/** The plan of a question: its queries, and the comparison with each document found. */
export interface ReadQuestion {
  /** The name for the search; empty: only `ids` are fetched. */
  name: string;
  /** The search by name, once without further conditions and once for each of these. */
  conditions: Clause[][];
  ids: string[];
  /** Documents one of which may settle the question at once, before the search; null: there are none. */
  equal: Clause | null;
  /** Documents with a name of one of these keys; null: they have no keys. */
  ofKeys: ((keys: string[]) => Clause) | null;
  compare: (hit: SearchHit) => Compared;
  /** The parts of the question that could not be used, in words. */
  notes: string[];
}

/** How one type is matched: plain data and pure functions. */
export interface Matching {
  /** The search whose ranking finds candidates. */
  search: SearchDefinition;
  index: IndexName;
  /** Members of a document that the comparison reads. */
  members: string[];
  read: (question: MatchQuestion) => ReadQuestion;
}
