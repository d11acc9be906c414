/** What makes an edition whole: all parts of it, where it comes in several files. Pure. */

/** A file's part of an edition. */
export interface EditionPart {
  /** Its number, from 1; a name where the edition has no fixed number of parts. */
  part: number | string;
  /** How many the edition has; absent: any number. */
  parts?: number;
}

const NUMBERED = /^(.*_)(\d+)$/;

/**
 * The parts that are missing in an edition, of which these are. Of names with a number, such as `ew_2`, those up to the
 * highest number are wanted: which is the last, nothing says.
 */
export function lackingParts(there: readonly (EditionPart | undefined)[]): (number | string)[] {
  const known = new Set(there.map((one) => one?.part));
  const upTo = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);
  const named = [...known].flatMap((part) => {
    const [, name, number] = NUMBERED.exec(String(part)) ?? [];
    return upTo(Number(number ?? 0)).map((one) => `${name}${one}`);
  });
  const parts = there.find((one) => one?.parts !== undefined)?.parts ?? 0;
  return [...new Set([...upTo(parts), ...named])].filter((part) => !known.has(part));
}
