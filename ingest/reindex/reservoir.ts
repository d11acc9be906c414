/** Owns a fair sample of things that come one after the other. */

/** Keeps so many of all that it is offered, each as likely as any other. */
export class Reservoir<T> {
  readonly items: T[] = [];
  private offered = 0;

  constructor(
    private readonly most: number,
    private readonly random: () => number = Math.random,
  ) {}

  offer(item: T): void {
    this.offered += 1;
    if (this.items.length < this.most) this.items.push(item);
    else {
      const place = Math.floor(this.random() * this.offered);
      if (place < this.most) this.items[place] = item;
    }
  }
}
