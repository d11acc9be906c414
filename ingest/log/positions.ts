/** Owns the positions of the change log: numbers without gaps, as texts that sort like them. Pure. */

const DIGITS = 15;
// Positions looked at together: as many changes are held in memory, some 60 kB each.
const SPAN = 64;

/** The position of this number. */
export function toPosition(number: number): string {
  return String(number).padStart(DIGITS, "0");
}

/** The position before the first. */
export const BEGINNING = toPosition(0);

/** Those that follow a position, some of them. */
export function positionsAfter(position: string): string[] {
  return Array.from({ length: SPAN }, (_none, at) => toPosition(Number(position) + 1 + at));
}

/** The latest of some. */
export function latestOf(positions: readonly string[]): string {
  return positions.reduce((latest, one) => (one > latest ? one : latest), BEGINNING);
}
