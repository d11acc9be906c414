/** Bounded concurrency, and the rates that it reaches. */
import { median } from "./statistics.ts";
import { inTurn } from "./turns.ts";

/** Runs at most `most` pieces of work at a time. */
export class InFlight {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly most: number) {}

  /** Waits for a free place, then starts the work. Throws the error of earlier work that has failed. */
  async add(work: () => Promise<unknown>): Promise<void> {
    while (this.running.size >= this.most) await Promise.race(this.running);
    const run: Promise<void> = work().then(() => void this.running.delete(run));
    // The next `add` or `finish` awaits it, perhaps after it has failed: until then the error must not count as
    // unhandled.
    run.catch(() => undefined);
    this.running.add(run);
  }

  /** Waits until all work has ended, then throws the error of one that failed, if any. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.running);
    await Promise.all(this.running);
  }
}

/** Asks for all items, `atOnce` of them at a time; returns the answers per second. */
export async function ratePerSecond<Item>(
  items: readonly Item[],
  atOnce: number,
  ask: (item: Item) => Promise<unknown>,
): Promise<number> {
  const inFlight = new InFlight(atOnce);
  const startedAt = performance.now();
  for (const item of items) await inFlight.add(() => ask(item));
  await inFlight.finish();
  return (items.length * 1_000) / (performance.now() - startedAt);
}

/** Answers per second through the API and directly from its store (the floor), one of each for every round. */
export interface Rates {
  api: number[];
  floor: number[];
}

/** Asks for all items in both ways, which take turns in being first, and adds their rates. */
export async function addRound<Item>(
  rates: Rates,
  items: readonly Item[],
  { atOnce, api, floor }: { atOnce: number } & Record<keyof Rates, (item: Item) => Promise<unknown>>,
): Promise<void> {
  const [apiRate, floorRate] = await inTurn(
    rates.api.length,
    () => ratePerSecond(items, atOnce, api),
    () => ratePerSecond(items, atOnce, floor),
  );
  rates.api.push(apiRate);
  rates.floor.push(floorRate);
}

/** The medians of the rounds; `ratio` is the median of the rounds' ratios. */
export function summariseRates({ api, floor }: Rates) {
  const ratios = api.map((rate, round) => rate / (floor[round] ?? NaN));
  return { api: median(api), floor: median(floor), ratio: median(ratios) };
}
