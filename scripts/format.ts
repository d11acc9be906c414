/** Owns the words of commands for times. Pure. */

const AGES: [unit: string, milliseconds: number][] = [
  ["days", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** How long ago, in one unit: `3 days`, `5 min`; from two of a unit on, so that it is never off by half. */
export function formatAge(milliseconds: number): string {
  const [unit, size] = AGES.find(([, each]) => milliseconds >= 2 * each) ?? ["s", 1_000];
  return `${Math.floor(Math.max(milliseconds, 0) / size)} ${unit}`;
}
