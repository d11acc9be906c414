/** Owns the columns that matching adds to a table. Pure. */
import type { Candidate, MatchResult, MatchType } from "../../api/matching/define-match.ts";

/** What was found for a row. */
export interface RowAnswer {
  result: MatchResult;
  /** Of people: what was found among disqualified officers. */
  disqualified?: MatchResult | undefined;
}

/** How sure it is that somebody is disqualified; empty: nobody of that name is known to be. */
export type Flag = "likely" | "possible" | "";

// A full name, or a surname and the first forename.
const LEAST_NAME = 90;
// What a spreadsheet runs as a formula begins so.
const FORMULA = /^[=+\-@\t\r]/;

/** The added columns, in order. */
export function answerColumns(type: MatchType): string[] {
  const isPerson = type !== "company";
  return [
    isPerson ? "register_id" : "register_number",
    "register_name",
    "register_status",
    "register_score",
    "register_match",
    "register_why",
    ...(isPerson ? ["register_disqualified", "register_disqualified_id"] : []),
  ];
}

/** The cells of a row that could not be read. */
export function faultCells(type: MatchType, fault: string): string[] {
  return answerColumns(type).map((column) => (column === "register_why" ? fault : ""));
}

/** The cells of a row: the best candidate, matched or not, and why. */
export function answerCells(type: MatchType, { result, disqualified }: RowAnswer): string[] {
  const [first] = result.candidates;
  const why = [...(first?.reasons ?? ["nothing found"]), ...result.notes].join("; ");
  const found = first
    ? [first.id, first.name, first.status ?? "", String(first.score), first.match ? "yes" : "no"]
    : ["", "", "", "", "no"];
  const cells = [...found, why];
  if (type === "company") return cells.map(harmless);
  const { flag, id } = flagOf(disqualified);
  return [...cells, flag, id].map(harmless);
}

/** Whether somebody is disqualified: never certain, since names and months of birth are shared. */
export function flagOf(disqualified: MatchResult | undefined): { flag: Flag; id: string } {
  const candidates = disqualified?.candidates ?? [];
  const likely = candidates.find(({ match }) => match);
  const found = likely ?? candidates.find(isPossible);
  return found ? { flag: likely ? "likely" : "possible", id: found.id } : { flag: "", id: "" };
}

function isPossible({ features }: Candidate): boolean {
  const { name, ...facts } = features;
  return Number(name) >= LEAST_NAME && !Object.values(facts).includes(false);
}

function harmless(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}
