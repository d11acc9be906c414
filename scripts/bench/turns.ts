/** Measurements that take turns in being first, since the first one fills caches for the others. */

/** Runs two measurements one after the other: in even turns `one` comes first, in odd turns `other`. */
export async function inTurn<One, Other>(
  turn: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  if (turn % 2 === 0) return [await one(), await other()];
  const second = await other();
  return [await one(), second];
}

/** The values in the order of a turn: each turn begins with the next value. */
export function rotate<T>(values: readonly T[], turn: number): T[] {
  const start = turn % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
