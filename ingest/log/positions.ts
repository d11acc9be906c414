/** Owns the positions of the change log: numbers without gaps, as texts that sort like them. Pure. */

const DIGITS = 15;

/** The position of this number. */
export function toPosition(number: number): string {
  return String(number).padStart(DIGITS, "0");
}

/** The position before the first. */
export const BEGINNING = toPosition(0);

/** The one that follows. */
export function positionAfter(position: string): string {
  return toPosition(Number(position) + 1);
}

/** Those between two. */
export function positionsBetween(position: string, end: string): string[] {
  const length = Number(end) - Number(position) - 1;
  return Array.from({ length }, (_none, at) => toPosition(Number(position) + 1 + at));
}

/** The latest of some. */
export function latestOf(positions: readonly string[]): string {
  return positions.reduce((latest, one) => (one > latest ? one : latest), BEGINNING);
}
