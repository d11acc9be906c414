/** The columns that matching adds to a table. Pure. */
import type { Candidate, MatchResult, MatchType } from "../../api/matching/define-match.ts";
import { withoutFormulas } from "../../api/shared/values/formulas.ts";

/** What was found for a row. */
export interface RowAnswer {
  result: MatchResult;
  /** For people: what was found among disqualified officers. */
  disqualified?: MatchResult | undefined;
}

// The score of the name if the whole name agrees, or surname and first forename.
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

/** The added cells of a row: the best candidate, whether it is a match, and why. */
export function answerCells(type: MatchType, { result, disqualified }: RowAnswer): string[] {
  const [first] = result.candidates;
  const why = [...(first?.reasons ?? ["nothing found"]), ...result.notes].join("; ");
  const { id = "", name = "", status, score = "", match = false } = first ?? {};
  const cells = [name, status ?? "", String(score), match ? "yes" : "no", why].map(withoutFormulas);
  const flagged = flagOf(disqualified);
  // Identifiers stay unchanged (no withoutFormulas), because users look them up in the API.
  return [id, ...cells, ...(type === "company" ? [] : [flagged.flag, flagged.id])];
}

/**
 * Whether a person may be disqualified: `likely` or `possible`, never certain, since people share names and months of
 * birth. Empty if no disqualified officer has that name and birth.
 */
export function flagOf(disqualified: MatchResult | undefined): { flag: string; id: string } {
  const candidates = disqualified?.candidates ?? [];
  const likely = candidates.find(({ match }) => match);
  const found = likely ?? candidates.find(isPossible);
  return found ? { flag: likely ? "likely" : "possible", id: found.id } : { flag: "", id: "" };
}

/** Compares name and birth only: a disqualified person may have moved, so the address may differ. */
function isPossible({ features: { name, born } }: Candidate): boolean {
  return Number(name) >= LEAST_NAME && born !== false;
}
