/** Owns the batches of one load that are under way: who finished, who failed, and the wait for their number to fall. */
import { CommandError } from "../../api/core/errors.ts";

// How often a wait looks up by itself: events may be lost, and a person may want to stop.
const TICK_MS = 1_000;

/** The batches under way, known by the ids of their jobs. */
export class Outstanding {
  private readonly ids = new Set<string>();
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  /** `look` is called about once a second while something waits; what it throws ends the wait. */
  constructor(private readonly look: (ids: readonly string[]) => Promise<void>) {}

  begin(id: string): void {
    this.ids.add(id);
  }

  /** False for a batch that is not, or no longer, under way here. */
  finish(id: string): boolean {
    const isOurs = this.ids.delete(id);
    this.wake?.();
    return isOurs;
  }

  /** The first failure is the one that is told. */
  fail(id: string, reason: string): void {
    if (!this.ids.delete(id)) return;
    this.failure ??= new CommandError(reason);
    this.wake?.();
  }

  /** Resolves when fewer than `count` are under way; rejects when one has failed. */
  async waitBelow(count: number): Promise<void> {
    while (!this.failure && this.ids.size >= count) await this.waitForNews();
    if (this.failure) throw this.failure;
  }

  /** Resolves when none is under way any more, failed or not. */
  async settle(): Promise<void> {
    while (this.ids.size > 0) await this.waitForNews();
  }

  private async waitForNews(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const isNews = await new Promise<boolean>((resolve) => {
      this.wake = () => resolve(true);
      timer = setTimeout(() => resolve(false), TICK_MS);
    });
    clearTimeout(timer);
    if (!isNews) await this.look([...this.ids]);
  }
}
