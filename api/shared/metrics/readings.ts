/** Owns gauges that ask stores: asked when somebody scrapes, seldom enough, and never waited for long. */
import { within } from "../runtime/deadlines.ts";
import { openKnown } from "../runtime/known.ts";
import type { NameOf } from "./list.ts";
import type { Metrics, Sample } from "./metrics.ts";

/** A question to a store; some gauges report its answer. */
export interface Reading {
  /** The gauges; each belongs to one reading. */
  gauges: readonly NameOf<"gauge">[];
  read: () => Promise<Sample[]>;
}

// Several scrapers, or a person who reloads the page, cost the stores no more than one.
const KEPT_MS = 5_000;
// Longer than any wait for a single store, also when this process is late; Prometheus itself gives up after ten seconds.
const DEADLINE_MS = 4_000;

/**
 * Makes the function that brings the gauges up to date. A reading that fails or does not answer in time leaves its
 * gauges without a value and the others as they are; it is not asked again before it has ended.
 */
export function createReadings(
  metrics: Metrics,
  readings: readonly Reading[],
  { keptMs = KEPT_MS, deadlineMs = DEADLINE_MS } = {},
): () => Promise<void> {
  const asks = readings.map((reading) => askOnce(reading.read));
  const refresh = async () => {
    // What keeps a store from answering is reported by `up`, by readiness and in the log.
    const answers = await Promise.all(asks.map((ask) => within(deadlineMs, ask()).catch(() => null)));
    readings.forEach(({ gauges }, position) => metrics.replace(gauges, answers[position] ?? []));
  };
  const now = () => performance.now();
  const bringUpToDate = openKnown(refresh, { trustedMs: keptMs, now });
  return () => bringUpToDate(2 * deadlineMs);
}

/** What can be asked whether it is there. */
type Pingable = { ping: (withinMs: number) => Promise<void> };
type Pinged = Partial<Record<"mongodb" | "elasticsearch" | "redis", Pingable>>;

// Shorter than the deadline of readings, also by the second that a late process is granted: one store that does not answer must not delay the report of the others.
const PING_MS = 1_500;

/** The gauge of the stores that answer. */
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

/** Asks; while an answer is still awaited, nothing more is asked: a client queues what a lost store cannot take. */
function askOnce(read: Reading["read"]): Reading["read"] {
  let asking: Promise<Sample[]> | undefined;
  return () => (asking ??= read().finally(() => (asking = undefined)));
}
