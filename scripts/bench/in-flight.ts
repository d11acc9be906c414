/** Owns bounded concurrency: work is begun while less than so much is under way. */

/** Work under way. */
export class InFlight {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly most: number) {}

  /** Begins the work once there is room. Throws what earlier work has failed with. */
  async add(work: () => Promise<unknown>): Promise<void> {
    while (this.running.size >= this.most) await Promise.race(this.running);
    const run: Promise<void> = work().then(() => void this.running.delete(run));
    // Awaited by the next `add` or by `finish`, which may be later than it fails.
    run.catch(() => undefined);
    this.running.add(run);
  }

  /** Waits until nothing is under way any more, then throws what some of it has failed with. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.running);
    await Promise.all(this.running);
  }
}
