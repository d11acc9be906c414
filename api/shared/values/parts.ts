/** Finds out which parts are missing of an edition that comes in several files. Pure. */

/** A file's part of an edition. */
export interface EditionPart {
  /** Its number, from 1; a name if the edition has no fixed number of parts. */
  part: number | string;
  /** How many parts the edition has; absent: not fixed. */
  parts?: number;
}

const NUMBERED = /^(.*_)(\d+)$/;

/**
 * The parts that are missing beside these parts of one edition. For names with a number, such as `ew_2`, the parts up
 * to the highest number are expected; no file says which part is the last.
 */
export function missingParts(there: readonly (EditionPart | undefined)[]): (number | string)[] {
  const known = new Set(there.map((one) => one?.part));
  const upTo = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);
  const named = [...known].flatMap((part) => {
    const [, name, number] = NUMBERED.exec(String(part)) ?? [];
    return upTo(Number(number ?? 0)).map((one) => `${name}${one}`);
  });
  const parts = there.find((one) => one?.parts !== undefined)?.parts ?? 0;
  return [...new Set([...upTo(parts), ...named])].filter((part) => !known.has(part));
}
