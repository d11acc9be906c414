/** Owns the reading of a record's keys by their names: they stand at top level, beside the members that types declare. */

/** A record's value of this key, as text. The record must have the key. */
export function keyOf(record: object, key: string): string {
  return String((record as Record<string, unknown>)[key]);
}
