/** Gauges whose values come from stores: read at a scrape, at most every five seconds, and with a deadline. */
import { within } from "../runtime/deadlines.ts";
import { openCached } from "../runtime/cached.ts";
import type { NameOf } from "./list.ts";
import type { Metrics, Sample } from "./metrics.ts";

/** A read of a store whose result some gauges report. */
export interface Reading {
  /** The gauges; each belongs to one reading. */
  gauges: readonly NameOf<"gauge">[];
  read: () => Promise<Sample[]>;
}

// Several scrapers, or a person who reloads the page, cost the stores no more than one scraper.
const KEPT_MS = 5_000;
// Longer than any wait for a single store, even when this process is late. Prometheus gives up after ten seconds.
const DEADLINE_MS = 4_000;

/**
 * Makes the function that updates the gauges. A reading that fails or is late leaves its own gauges without a value,
 * and is not repeated before it has ended. Other gauges are not affected.
 */
export function createReadings(
  metrics: Metrics,
  readings: readonly Reading[],
  { keptMs = KEPT_MS, deadlineMs = DEADLINE_MS } = {},
): () => Promise<void> {
  const reads = readings.map(({ read }) => readOnce(read));
  const refresh = async () => {
    // The error is ignored, because `up`, readiness and the log report an unavailable store.
    const answers = await Promise.all(reads.map((read) => within(deadlineMs, read()).catch(() => null)));
    readings.forEach(({ gauges }, position) => metrics.replace(gauges, answers[position] ?? []));
  };
  const now = () => performance.now();
  const refreshIfOld = openCached(refresh, { trustedMs: keptMs, now });
  return () => refreshIfOld(2 * deadlineMs);
}

/** What is needed of a store. */
type Pingable = { ping: (withinMs: number) => Promise<void> };
type Pinged = Partial<Record<"mongodb" | "elasticsearch" | "redis", Pingable>>;

// Shorter than DEADLINE_MS, even with the extra second that `within` grants a late process: a store that does not
// answer must not delay the report of the others.
const PING_MS = 1_500;

/** The reading for the gauge `up`. */
export function readStoreHealth(stores: Pinged): Reading {
  const ask = async ([store, { ping }]: [string, Pingable]): Promise<Sample> => {
    const isUp = await within(PING_MS, ping(PING_MS)).then(
      () => true,
      () => false,
    );
    return { metric: "up", labels: { store }, value: isUp ? 1 : 0 };
  };
  return { gauges: ["up"], read: () => Promise.all(Object.entries(stores).map(ask)) };
}

/** Shares a read under way instead of starting another, because clients queue commands for a lost store. */
function readOnce(read: Reading["read"]): Reading["read"] {
  let reading: Promise<Sample[]> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
