/** The types of matching: questions, candidates, and how the candidates of a type are found and compared. */
import type { Clause } from "../search/clauses.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";

export const MATCH_TYPES = ["company", "officer", "disqualified-officer"] as const;

export type MatchType = (typeof MATCH_TYPES)[number];

/** One row of a caller's list: a name and the other facts that the caller has, in the caller's spelling. */
export interface MatchQuestion {
  type: MatchType;
  /** May be empty if a number is given. */
  name: string;
  /** Number of the company, or of a company that the person belongs to. Letter case and missing zeros do not matter. */
  number?: string | undefined;
  postcode?: string | undefined;
  town?: string | undefined;
  /** Status of the company in the register's words: `active`, `dissolved`. */
  status?: string | undefined;
  /** Date, month or year of birth, in any usual form. */
  born?: string | undefined;
}

/** The facts that are compared in addition to the name. */
export const FACTS = ["number", "postcode", "town", "status", "born"] as const;

export type Fact = (typeof FACTS)[number];

/** The comparison of a fact that both the question and the register have, with its part of the explanation. */
export interface FactFound {
  agreement: "agrees" | "differs";
  reason: string;
  /** True if too many share the fact for it to confirm a name: a year of birth, the first half of a postcode. */
  isVague?: boolean;
}

export type FactsFound = Partial<Record<Fact, FactFound>>;

/**
 * The degrees of similarity, strongest first.
 * - `exact`: equal, including the legal ending.
 * - `same`: equal except for the legal ending.
 * - `slip`: one letter differs in a long name that has its ending.
 * - `likely`: equal to a part of the text. A match needs a fact that agrees.
 * - `near`: a few letters differ, or words that the same-as rules ignore, or it equals a part that is hardly the whole
 *   name. A match needs a postcode, number or birth that agrees.
 * - `weak`: never a match.
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
  /** True for a longer name with all words of the question. It is a possible match if another name is merely near. */
  hasAllWords?: boolean;
  /** True if the name is the whole text with any ending, or begins with a text without one, which may be cut off. */
  hasWholeText?: boolean;
  /** True for a likely name before a comma; the words after the comma may be a town. */
  isBeforeComma?: boolean;
  /**
   * True if the text is not simply the name: it has an alias, a status or a country after the ending, or that country
   * elsewhere, or its ending is a guess.
   */
  isReworded?: boolean;
  /** True if the forename is only similar (Joan, John). A match needs a birth, because a family shares the rest. */
  isOfFamily?: boolean;
  /** Key of the register's name that was compared, if it has one. */
  key?: string;
}

export interface Candidate {
  type: MatchType;
  /** Company number, or identifier of the officer. */
  id: string;
  name: string;
  /** Status of a company, or `disqualified until 2031-05-01`; null if it has none. */
  status: string | null;
  description: string;
  /** From 0 to 100. */
  score: number;
  /** True: it is the right one in at least 99 of 100 cases. A question has at most one match. */
  match: boolean;
  /** The reasons of the score and the decision, in words. */
  reasons: string[];
  /** The parts of the score: `name` from 0 to 100, and for each fact that both sides have whether it agrees. */
  features: Partial<Record<"name" | Fact, number | boolean>>;
}

export interface MatchResult {
  /** The best first. */
  candidates: Candidate[];
  /** Messages about parts of the question that could not be used. */
  notes: string[];
}

/** A candidate whose names and facts have been compared, before the decision. */
export interface Compared extends Pick<Candidate, "type" | "id" | "name" | "status" | "description"> {
  /** Null if the question has no name, only a number. */
  likeness: Likeness | null;
  facts: FactsFound;
  /** True for the company with the given number. */
  isByNumber: boolean;
}

/** The plan for a question: its queries, and the comparison with each document found. */
export interface ReadQuestion {
  /** The name to search for; empty: only `ids` are fetched. */
  name: string;
  /** Filters of the search by name, which runs once for each entry; the first entry has no filters. */
  conditions: Clause[][];
  ids: string[];
  /** A query for documents with the same name, one of which may settle the question without a search; null: none. */
  equal: Clause | null;
  /** Makes the query for documents with a name of one of these keys; null if documents of the type have no keys. */
  ofKeys: ((keys: string[]) => Clause) | null;
  compare: (hit: SearchHit) => Compared;
  /** Messages about parts of the question that could not be used. */
  notes: string[];
}

/** How a type is matched: plain data and pure functions. */
export interface Matching {
  /** The search whose ranking finds candidates. */
  search: SearchDefinition;
  index: IndexName;
  /** The fields of documents that `compare` reads. */
  members: string[];
  read: (question: MatchQuestion) => ReadQuestion;
}
