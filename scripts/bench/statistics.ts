/** The statistics of the benchmarks. Pure. */

/** The quantile of the values, such as 0.95, interpolated between two values; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** The middle value, or the mean of the two middle values; NaN if there are none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Rounds to a number of digits after the decimal point. */
export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
