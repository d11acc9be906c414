/** Owns the narrowing of unknown values to objects. */

/** Members of an object that is not yet checked. */
export type Members = Record<string, unknown>;

/** True for an object that is no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
