/** Owns the comparison with an earlier measurement of the same register: no form that worked may find less. */
import { readFileSync } from "node:fs";
import { CommandError, messageOf } from "../../../api/shared/runtime/errors.ts";
import type { FormResult } from "./measure.ts";

/** What is read of the result of a form. */
type EarlierResult = Pick<FormResult, "form" | "search" | "queries" | "found" | "first" | "isShort">;

/** A result beside that of the same form in an earlier measurement; null where that had no such form. */
export type ComparedResult = FormResult & { before: EarlierResult | null };

/** Most that a form which worked may lose of either share. */
const LOSS = 0.005;

/** Reads what an earlier run has printed with --json. Throws CommandError. */
export function readEarlier(path: string): EarlierResult[] {
  try {
    const { forms } = JSON.parse(readFileSync(path, "utf8")) as { forms?: EarlierResult[] };
    // A form without queries has no shares.
    if (Array.isArray(forms)) return forms.filter(({ queries }) => queries > 0);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`);
  }
  throw new CommandError(`${path} is not what 'bench -- recall --json' prints`);
}

/** The results beside the earlier ones; one that worked and has lost falls short, whatever its least shares are. */
export function compareWith(
  earlier: readonly EarlierResult[],
  results: readonly FormResult[],
): ComparedResult[] {
  return results.map((result) => {
    const before =
      earlier.find(({ form, search }) => form === result.form && search === result.search) ?? null;
    const hasLost =
      before !== null &&
      !before.isShort &&
      (before.found - result.found > LOSS || before.first - result.first > LOSS);
    return { ...result, before, isShort: result.isShort || hasLost };
  });
}
