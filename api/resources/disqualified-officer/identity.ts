/** Owns the identity of disqualified officers. */
import { deriveId } from "../../core/identifiers.ts";

/**
 * The key of a disqualified officer, and its id while no source has stated the real one. All twelve digits count:
 * a file may contain two variants of one person, each with disqualifications of its own.
 */
export function deriveDisqualifiedId(personNumber: string): string {
  return deriveId("disqualified", personNumber);
}
