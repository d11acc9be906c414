/** Owns the columns that matching adds to a table. Pure. */
import type { Candidate, MatchResult, MatchType } from "../../api/matching/define-match.ts";
import { withoutFormulas } from "../../api/shared/values/formulas.ts";

/** What was found for a row. */
export interface RowAnswer {
  result: MatchResult;
  /** Of people: what was found among disqualified officers. */
  disqualified?: MatchResult | undefined;
}

// A full name, or a surname and the first forename.
const LEAST_NAME = 90;

/** The added columns, in order. */
export function answerColumns(type: MatchType): string[] {
  const isPerson = type !== "company";
  const common = ["name", "status", "score", "match", "why"];
  const columns = isPerson ? ["id", ...common, "disqualified", "disqualified_id"] : ["number", ...common];
  return columns.map((column) => `register_${column}`);
}

/** The cells of a row that could not be read. */
export function faultCells(type: MatchType, fault: string): string[] {
  return answerColumns(type).map((column) => (column === "register_why" ? fault : ""));
}

/** The cells of a row: the best candidate, matched or not, and why. */
export function answerCells(type: MatchType, { result, disqualified }: RowAnswer): string[] {
  const [first] = result.candidates;
  const why = [...(first?.reasons ?? ["nothing found"]), ...result.notes].join("; ");
  const { id = "", name = "", status, score = "", match = false } = first ?? {};
  const cells = [name, status ?? "", String(score), match ? "yes" : "no", why].map(withoutFormulas);
  const flagged = flagOf(disqualified);
  // Identifiers stay those of the API, by which they are looked up.
  return [id, ...cells, ...(type === "company" ? [] : [flagged.flag, flagged.id])];
}

/**
 * Whether somebody is disqualified, `likely` or `possible`: never certain, since names and months of birth are shared.
 * Empty: nobody of that name and birth is known to be.
 */
export function flagOf(disqualified: MatchResult | undefined): { flag: string; id: string } {
  const candidates = disqualified?.candidates ?? [];
  const likely = candidates.find(({ match }) => match);
  const found = likely ?? candidates.find(isPossible);
  return found ? { flag: likely ? "likely" : "possible", id: found.id } : { flag: "", id: "" };
}

/** Wherever the person lives now: who is disqualified may have moved. */
function isPossible({ features: { name, born } }: Candidate): boolean {
  return Number(name) >= LEAST_NAME && born !== false;
}
