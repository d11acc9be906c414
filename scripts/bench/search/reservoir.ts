/** Owns fair samples of what passes by. */

/** A sample of values that pass by: each is as likely to be in it as any other, however many come. */
export class Reservoir<T> {
  readonly values: T[] = [];
  private seen = 0;

  /** `random`: where chance comes from, a whole number below `end`. */
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
