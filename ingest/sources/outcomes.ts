/** Owns what every source makes of a row alike: a fault in it refuses it, values that were dropped are told. Pure. */
import { RecordError } from "../../api/core/errors.ts";
import type { Mapped, Outcome, RawRow } from "./define-source.ts";

/**
 * What `map` makes of the row, with the warnings that it enters; refused when it throws a RecordError. Anything else it
 * throws is thrown.
 */
export function toOutcome(row: RawRow, map: (warnings: string[]) => Mapped): Outcome {
  const warnings: string[] = [];
  try {
    // Completed in place: copies would make the mapping of a row a tenth slower. The cast: it is whole with its row.
    const outcome = map(warnings) as Outcome;
    outcome.row = row;
    if (warnings.length > 0) outcome.warnings = warnings;
    return outcome;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { kind: "refused", row, reason: error.reason, field: error.field };
  }
}
