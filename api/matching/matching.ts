/** Owns the Matching type: how questions of one type are asked and their answers compared. */
import type { Clause } from "../search/clauses.ts";
import type { SearchDefinition, SearchHit } from "../search/define-search.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";
import type { Compared } from "./decide.ts";
import type { Likeness, MatchQuestion, MatchType } from "./define-match.ts";

/** What a question comes to: what is to be asked, and how each answer compares with it. */
export interface ReadQuestion {
  /** The name for the search; empty: only `ids` are asked for. */
  name: string;
  /** The search by name, once without further conditions and once for each of these. */
  conditions: Clause[][];
  /** Documents to be fetched by their ids. */
  ids: string[];
  /** Documents of which one may settle the question at once, before the search is asked; null: there are none. */
  equal: Clause | null;
  /** Documents that have a name of one of these keys; null: they have no keys. */
  ofKeys: ((keys: string[]) => Clause) | null;
  compare: (hit: SearchHit) => Compared;
  /** What of the question could not be used, in words. */
  notes: string[];
}

/** How one type is matched: plain data and pure functions. */
export interface Matching {
  type: MatchType;
  /** The search whose ranking finds candidates. */
  search: SearchDefinition;
  index: IndexName;
  /** Members of a document that the comparison reads. */
  members: string[];
  read: (question: MatchQuestion) => ReadQuestion;
}

/** The likeness of the name that is most like; the first of equals. */
export function mostLike(likenesses: Likeness[]): Likeness {
  return likenesses.reduce((best, one) => (one.score > best.score ? one : best), {
    strength: "weak",
    score: 0,
    reason: "another name",
  });
}
