/** Owns what every source makes of a row alike: a fault in it refuses it, values that were dropped are told. Pure. */
import { RecordError } from "../../api/core/errors.ts";
import type { Outcome, RawRow } from "./define-source.ts";

/** What `map` makes of the row; refused when it throws a RecordError. Anything else it throws is thrown. */
export function refusing(row: RawRow, map: () => Outcome): Outcome {
  try {
    return map();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { kind: "refused", row, reason: error.reason, field: error.field };
  }
}

/** The outcome with its warnings, where there are any. */
export function withWarnings(
  outcome: Extract<Outcome, { warnings?: string[] }>,
  warnings: string[],
): Outcome {
  return warnings.length > 0 ? { ...outcome, warnings } : outcome;
}
