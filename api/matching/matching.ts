/** Owns the Matching type: the queries for questions of one type, and the comparison of what they find. */
import type { Clause } from "../search/clauses.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import type { Compared } from "./decide.ts";
import type { Likeness, MatchQuestion, MatchType } from "./define-match.ts";

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
  type: MatchType;
  /** The search whose ranking finds candidates. */
  search: SearchDefinition;
  index: IndexName;
  /** Members of a document that the comparison reads. */
  members: string[];
  read: (question: MatchQuestion) => ReadQuestion;
}

/** A name that is not similar at all. */
export const UNLIKE: Likeness = { strength: "weak", score: 0, reason: "another name" };

/** The similarity of the most similar name; the first of equals. */
export function mostLike(likenesses: Likeness[]): Likeness {
  return likenesses.reduce((best, one) => (one.score > best.score ? one : best), UNLIKE);
}
