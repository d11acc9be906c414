/**
 * Limits how much work of one kind runs at once. Above that some requests wait for their turn, and the others are
 * refused at once, because a growing queue would make every answer late. Both limits apply to all callers together and
 * to each caller. The next turn goes to the caller with the least work running; of several, to the one whose work ended
 * longest ago. A caller whose work is far more expensive than that of others has fewer places. So no caller can take
 * the machine from the others.
 */
import { LRUCache } from "lru-cache";
import type { Budget } from "../../shared/runtime/deadlines.ts";
import { BusyError } from "../../shared/runtime/errors.ts";

/** The limits. One caller may have half of each, rounded up, and so always one place. */
interface AdmissionLimits {
  /** The kind of work, as messages name it: `searches`. */
  what: string;
  /** Most that runs at once. */
  atOnce: number;
  /** Most that waits; more is refused. */
  waiting: number;
  /** Retry-After of a refusal, in seconds. */
  retryAfterSeconds: number;
}

interface Caller {
  underWay: number;
  /** One function for each waiting piece of work, which admits it; the longest wait comes first. */
  waiting: (() => void)[];
}

/** Admits work of one kind. */
export class Admission {
  /** In the order of their turns: the one whose work ended last comes last. */
  private readonly callers = new Map<string, Caller>();
  private underWay = 0;
  private waiting = 0;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly durations = new MeanDurations(),
  ) {}

  /** How much runs and waits, for metrics. */
  count(): { underWay: number; waiting: number } {
    return { underWay: this.underWay, waiting: this.waiting };
  }

  /** Runs the work when it is its turn; throws BusyError when too much is in progress. */
  async run<T>(name: string, budget: Budget | undefined, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(name, budget);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.durations.note(name, performance.now() - startedAt);
      leave();
    }
  }

  /**
   * Waits for a turn, at most half of the remaining budget: after a longer wait the answer would be late anyway.
   * Returns the function that ends the work, to be called once. Throws BusyError when too much is in progress, and the
   * budget's own reason when the budget ends.
   */
  async enter(name: string, budget?: Budget): Promise<() => void> {
    const caller = this.callers.get(name) ?? { underWay: 0, waiting: [] };
    this.callers.set(name, caller);
    // Waiting work comes first. It may be admitted now, because a caller's share grows with time as well.
    this.admitAll();
    try {
      if (this.mayBegin(name, caller)) this.begin(caller);
      else await this.wait(caller, budget);
    } catch (error) {
      this.forget(name);
      throw error;
    }
    return () => this.leave(name, caller);
  }

  /** Forgets a caller without work: an address may call only once. */
  private forget(name: string): void {
    const caller = this.callers.get(name);
    if (caller?.underWay === 0 && caller.waiting.length === 0) this.callers.delete(name);
  }

  private mayBegin(name: string, { underWay }: Caller): boolean {
    const { atOnce } = this.limits;
    if (this.underWay >= atOnce || underWay >= halfOf(atOnce)) return false;
    // The first work of a caller needs no share, so the share is computed only for callers with more.
    return underWay === 0 || underWay < Math.round(halfOf(atOnce) * this.durations.shareOf(name));
  }

  private begin(caller: Caller): void {
    caller.underWay += 1;
    this.underWay += 1;
  }

  private leave(name: string, caller: Caller): void {
    caller.underWay -= 1;
    this.underWay -= 1;
    this.callers.delete(name);
    this.callers.set(name, caller);
    this.forget(name);
    this.admitAll();
  }

  private admitAll(): void {
    while (this.admitNext());
  }

  /** Admits the next waiting work; false when none may begin. */
  private admitNext(): boolean {
    let next: Caller | undefined;
    for (const [name, caller] of this.callers) {
      if (caller.waiting.length === 0 || !this.mayBegin(name, caller)) continue;
      if (!next || caller.underWay < next.underWay) next = caller;
    }
    const admit = next?.waiting.shift();
    if (!next || !admit) return false;
    this.waiting -= 1;
    this.begin(next);
    admit();
    return true;
  }

  private async wait(caller: Caller, budget: Budget | undefined): Promise<void> {
    const { atOnce, waiting, what } = this.limits;
    // Where no work may wait, the running work shows whether a caller has reached its own limit.
    const [own, most] = waiting > 0 ? [caller.waiting.length, waiting] : [caller.underWay, atOnce];
    if (own >= halfOf(most)) throw this.busy(`this application has too many ${what} running`);
    // Other callers may have filled the queue. A caller without any work may still join it, and is next.
    const isFirst = waiting > 0 && caller.underWay === 0 && caller.waiting.length === 0;
    if (this.waiting >= waiting && !isFirst) throw this.busy(`too many ${what} are running`);
    await new Promise<void>((resolve, reject) => {
      const isLate = () => giveUp(this.busy(`too many ${what} are running`));
      const hasEnded = () => giveUp(budget?.signal.reason as Error);
      const timer = budget && setTimeout(isLate, budget.leftMs() / 2);
      budget?.signal.addEventListener("abort", hasEnded);
      const end = () => {
        clearTimeout(timer);
        budget?.signal.removeEventListener("abort", hasEnded);
      };
      const admit = () => {
        end();
        resolve();
      };
      const giveUp = (error: Error) => {
        end();
        caller.waiting.splice(caller.waiting.indexOf(admit), 1);
        this.waiting -= 1;
        reject(error);
      };
      caller.waiting.push(admit);
      this.waiting += 1;
    });
  }

  private busy(sentence: string): BusyError {
    return new BusyError(sentence, this.limits.retryAfterSeconds);
  }
}

function halfOf(number: number): number {
  return Math.ceil(number / 2);
}

// A caller is compared only with callers whose last work ended within this time. Others would cost it places while the
// engine is idle.
const PRESENT_MS = 1_000;
// A caller's own mean is kept longer, because expensive work may take more than that second.
const KEPT_MS = 10_000;
// Limits: how many callers have a mean, and with how many others a caller is compared, the latest.
const MOST_CALLERS = 1_000;
const LOOKED_AT = 20;
// Tuned: what new work weighs in the mean: about the last ten count.
const WEIGHT = 0.1;
// Tuned: up to this many times the time of others, work loses no places. Searches by name take three times as long as
// suggestions, and neither must hold the other up.
const TOLERATED = 3;

/** The mean time of a caller's work, in milliseconds, and when its last work ended. */
interface MeanDuration {
  mean: number;
  notedAt: number;
}

/**
 * Keeps the mean time of the work of recent callers. A caller whose work takes many times as long as that of the others
 * gets fewer places, so that the engine's processors are shared by time and not by number of requests.
 */
export class MeanDurations {
  private readonly means = new LRUCache<string, MeanDuration>({ max: MOST_CALLERS, ttl: KEPT_MS });

  /** Notes how many milliseconds some work of this caller took. */
  note(name: string, ms: number): void {
    const { mean } = this.means.peek(name) ?? { mean: ms };
    this.means.set(name, { mean: mean + WEIGHT * (ms - mean), notedAt: performance.now() });
  }

  /** The share of its places that a caller may use: 1, or less while there are callers with far cheaper work. */
  shareOf(name: string): number {
    const own = this.means.peek(name);
    if (own === undefined) return 1;
    const since = performance.now() - PRESENT_MS;
    let [sum, count] = [0, 0];
    // The cache lists the latest entries first.
    for (const [other, { mean, notedAt }] of this.means.entries()) {
      if (notedAt < since || count === LOOKED_AT) break;
      if (other === name) continue;
      sum += mean;
      count += 1;
    }
    return count === 0 ? 1 : Math.min(1, (TOLERATED * sum) / count / own.mean);
  }
}
