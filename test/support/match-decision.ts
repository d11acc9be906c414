/** Matches a question against a few lines of a register: which candidate is first, and whether it counts as a match. */
import type { MatchQuestion } from "../../api/matching/define-match.ts";
import { matchAll } from "../../api/matching/matcher.ts";
import type { RegisterLine, SearchRegister } from "./search-register.ts";

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
