/** Matches texts against a few lines of a register: which candidate is first, and whether it counts as a match. */
import type { MatchQuestion } from "../../api/matching/define-match.ts";
import { matchAll } from "../../api/matching/matcher.ts";
import { nameOf, type RegisterLine, type SearchRegister } from "./search-register.ts";

type Facts = Partial<MatchQuestion>;

/**
 * A row of a table of tests: a text, the facts beside it, the line that must come first, whether it is the match, and
 * further lines of the register.
 */
export type Decision = [
  text: string,
  facts: Facts,
  line: RegisterLine,
  isMatch: boolean,
  others?: RegisterLine[],
];
/** A row with only the match; null means nobody. */
export type Meant = [text: string, facts: Facts, line: RegisterLine | null];

/** Puts a title before each row, such as `"Card Factory" with {"town":"Leeds"} does not match FACTORY LTD`. */
export function titled<Row extends Decision | Meant>(rows: Row[]): [title: string, ...Row][] {
  return rows.map((row) => {
    const [text, facts, line, isMatch = true] = row;
    const given = Object.keys(facts).length > 0 ? ` with ${JSON.stringify(facts)}` : "";
    const outcome = isMatch ? "matches" : "does not match";
    return [`"${text}"${given} ${outcome} ${line ? nameOf(line) : "nobody"}`, ...row];
  });
}

/** The best candidate among these lines, which it adds to the register and removes again. */
export async function decideAmong(
  register: SearchRegister,
  lines: RegisterLine[],
  question: Partial<MatchQuestion> & { name: string },
) {
  await register.add(lines);
  const [result] = await matchAll(register.elasticsearch, [{ type: "company", ...question }]).finally(() =>
    register.remove(lines),
  );
  const [first] = result?.candidates ?? [];
  return { id: first?.id, match: first?.match ?? false };
}
