/** Reservoir sampling. */

/** A random sample of at most `size` of the offered values; all of them are equally likely, however many there are. */
export class Reservoir<T> {
  readonly values: T[] = [];
  private seen = 0;

  /** `random.below`: gives a random whole number below `end`. */
  constructor(
    private readonly size: number,
    private readonly random: { below: (end: number) => number },
  ) {}

  offer(value: T): void {
    this.seen += 1;
    const place = this.values.length < this.size ? this.values.length : this.random.below(this.seen);
    if (place < this.size) this.values[place] = value;
  }
}
