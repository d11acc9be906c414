/** Owns fair samples of what passes by. */

/** Where chance comes from. */
export interface Chance {
  /** A whole number, at least 0 and below `end`. */
  below: (end: number) => number;
}

/** Chance that does not repeat. */
export const chance: Chance = { below: (end) => Math.floor(Math.random() * end) };

/** A sample of values that pass by: each is as likely to be in it as any other, however many come. */
export class Reservoir<T> {
  readonly values: T[] = [];
  private seen = 0;

  constructor(
    private readonly size: number,
    private readonly random: Chance,
  ) {}

  offer(value: T): void {
    this.seen += 1;
    if (this.values.length < this.size) this.values.push(value);
    else {
      const place = this.random.below(this.seen);
      if (place < this.size) this.values[place] = value;
    }
  }
}
