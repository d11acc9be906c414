/** What makes an edition whole: all parts of it, where it comes in several files. Pure. */

/** A file's part of an edition. */
export interface EditionPart {
  /** Its number, from 1; a name where the edition has no fixed number of parts. */
  part: number | string;
  /** How many the edition has; absent: any number. */
  parts?: number;
}

/**
 * The numbers of the parts that are missing in an edition, of which these are; none where it has no fixed number of parts,
 * or is one file (undefined).
 */
export function lackingParts(there: readonly (EditionPart | undefined)[]): number[] {
  const numbers = new Set(there.map((one) => one?.part));
  const parts = there.find((one) => one?.parts !== undefined)?.parts ?? 0;
  const wanted = Array.from({ length: parts }, (_none, index) => index + 1);
  return wanted.filter((number) => !numbers.has(number));
}
