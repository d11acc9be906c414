/** Owns the words of matching: what is asked, what comes back. */

/** What can be matched. */
export const MATCH_TYPES = ["company", "officer", "disqualified-officer"] as const;

export type MatchType = (typeof MATCH_TYPES)[number];

/** One row of a list: a name, and what is known beside it, as the caller has it. */
export interface MatchQuestion {
  type: MatchType;
  /** May be empty where a number is given. */
  name: string;
  /** Number of the company; of a person: number of a company that they belong to. Letter case and lost zeros are forgiven. */
  number?: string | undefined;
  postcode?: string | undefined;
  town?: string | undefined;
  /** Status of the company in the register's words: `active`, `dissolved`. */
  status?: string | undefined;
  /** Date, month or year of birth, in any usual form. */
  born?: string | undefined;
}

/** Whether a fact that the question states is the register's; unknown where either of them has none. */
export type Agreement = "agrees" | "differs" | "unknown";

/** The facts that are compared beside the name. */
export const FACTS = ["number", "postcode", "town", "status", "born"] as const;

export type Fact = (typeof FACTS)[number];

/** A fact beside the name: how it compares, and the sentence fragment that says so; empty where it is unknown. */
export interface FactFound {
  agreement: Agreement;
  reason: string;
}

export type FactsFound = Partial<Record<Fact, FactFound>>;

/**
 * How far a likeness of names goes, the strongest first. `exact`: equal, legal ending included. `same`: equal, but an
 * ending is left out. `slip`: one letter of a long name. `likely`: equal to a part of the text; it takes a fact that
 * agrees. `near`: a few letters, or words that the law does not count; it takes a postcode, number or birth that agrees. `weak`: never a match.
 */
export const STRENGTHS = ["exact", "same", "slip", "likely", "near", "weak"] as const;

export type Strength = (typeof STRENGTHS)[number];

/** How alike two names are. */
export interface Likeness {
  strength: Strength;
  /** From 0 to 100. */
  score: number;
  /** In words: `same name`. */
  reason: string;
  /** True for a longer name that has all words as they are spelt: it may be meant where another one is merely near. */
  hasAllWords?: boolean;
  /** Key of the name of the register that was compared, where there is one. */
  key?: string;
}

/** Somebody or something that the question may mean. */
export interface Candidate {
  type: MatchType;
  /** Company number, or identifier of the officer. */
  id: string;
  /** Present name. */
  name: string;
  /** Status of a company, or `disqualified until 2031-05-01`; null where there is none. */
  status: string | null;
  /** Description for people. */
  description: string;
  /** From 0 to 100. */
  score: number;
  /** True: right in at least 99 of 100 cases. At most one candidate of a question has it. */
  match: boolean;
  /** Why the score and the decision are what they are, in words. */
  reasons: string[];
  /** The parts of the score: `name` from 0 to 100, and each fact that is known on both sides. */
  features: Partial<Record<"name" | Fact, number | boolean>>;
}

/** What was found for a question. */
export interface MatchResult {
  /** The best first. */
  candidates: Candidate[];
  /** What of the question could not be used, in words. */
  notes: string[];
}
