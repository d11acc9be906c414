/** Owns the narrowing of unknown values to objects, of objects to some of their members, and the reading of members by name. */

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

/** A record's value of this key, as text: keys stand at top level, beside the members that types declare. The record must have it. */
export function keyOf(record: object, key: string): string {
  return String((record as Members)[key]);
}
