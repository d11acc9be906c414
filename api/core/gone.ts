/** Owns the mark of a record that is no more: it stands in its collection without content (`GoneRecord`). */

/** True for a record that is no more. */
export function isGone<Held extends object>(held: Held): held is Extract<Held, { gone: true }> {
  return "gone" in held;
}
