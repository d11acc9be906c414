/** Owns a decision of matching among a few lines of a register: what is found first, and whether it is the match. */
import type { MatchQuestion } from "../../api/matching/define-match.ts";
import { matchAll } from "../../api/matching/matcher.ts";
import type { RegisterLine, SearchRegister } from "./search-register.ts";

/** The best candidate of the lines, which are in the register only meanwhile. */
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
