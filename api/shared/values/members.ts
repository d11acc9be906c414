/** Helpers for objects of unknown shape: is it an object, some of its members, one member as text. */

/** An object whose members are not checked yet. */
export type Members = Record<string, unknown>;

/** True for an object that is not a list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy with only the named members, in the order of the names; absent members stay absent. */
export function pickMembers<T extends object, Name extends keyof T>(
  from: T,
  names: readonly Name[],
): Partial<Pick<T, Name>> {
  const picked: Partial<Pick<T, Name>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}

/** A record's key as text; the record must have it. Needed because types of records do not declare their keys. */
export function keyOf(record: object, key: string): string {
  return String((record as Members)[key]);
}
