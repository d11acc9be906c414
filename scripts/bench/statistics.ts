/** Owns the few statistics of a benchmark. Pure. */

/** The value below which this share of the values lies, between two of them in proportion; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Rounds to so many digits behind the point, for output. */
export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
