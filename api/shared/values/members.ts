/** Owns the narrowing of unknown values to objects, and of objects to some of their members. */

/** Members of an object that is not yet checked. */
export type Members = Record<string, unknown>;

/** True for an object that is no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The named members that an object has, in the order of the names; absent ones stay absent. */
export function pickMembers<T extends object, Name extends keyof T>(
  from: T,
  names: readonly Name[],
): Partial<Pick<T, Name>> {
  const picked: Partial<Pick<T, Name>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}
