/** A seeded random generator, so that runs can be repeated. */

/** A source of random numbers; the same seed gives the same numbers. */
export interface Random {
  /** At least 0, below 1. */
  next: () => number;
  /** A whole number, at least 0 and below `end`. */
  below: (end: number) => number;
  /** One of the values. Throws if there is none. */
  pick: <T>(values: readonly T[]) => T;
}

/** The generator mulberry32: 32 bits of state, more than enough to draw queries with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new Error("there is nothing to pick from");
    return values[below(values.length)] as T;
  };
  return { next, below, pick };
}

/** A copy of the values in random order; all orders are equally likely. */
export function shuffle<T>(values: readonly T[], random: Random): T[] {
  const shuffled = [...values];
  for (let end = shuffled.length - 1; end > 0; end -= 1) {
    const chosen = random.below(end + 1);
    [shuffled[end], shuffled[chosen]] = [shuffled[chosen] as T, shuffled[end] as T];
  }
  return shuffled;
}
