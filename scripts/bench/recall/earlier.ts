/** Compares with an earlier measurement of the same register: a form that worked then must not find less now. */
import { readFileSync } from "node:fs";
import { CommandError, messageOf } from "../../../api/shared/runtime/errors.ts";
import type { FormResult } from "./measure.ts";

/** The members of an earlier result that are used. */
type EarlierResult = Pick<FormResult, "form" | "search" | "queries" | "found" | "first" | "isShort">;

/** A result with the earlier result of the same form; `before` is null if there is none. */
export type ComparedResult = FormResult & { before: EarlierResult | null };

/** The most that either share of a form may fall. */
const LOSS = 0.005;

/** Reads the output of an earlier run with --json. Throws CommandError if the file is something else. */
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

/** Adds the earlier results. A form that was not short then and finds less now is short, whatever its least shares. */
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
