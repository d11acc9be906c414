/** Owns the gauge of the stores that answer. */
import { within } from "../runtime/deadlines.ts";
import type { Sample } from "./metrics.ts";
import type { Reading } from "./readings.ts";

/** What can be asked whether it is there. */
type Pingable = { ping: (withinMs: number) => Promise<void> };
type Pinged = Partial<Record<"mongodb" | "elasticsearch" | "redis", Pingable>>;

// Shorter than the deadline of readings, also by the second that a late process is granted: one store that does not answer must not delay the report of the others.
const ANSWER_MS = 1_500;

export function readStoreHealth(stores: Pinged): Reading {
  const ask = async ([store, { ping }]: [string, Pingable]): Promise<Sample> => {
    const isUp = await within(ANSWER_MS, ping(ANSWER_MS)).then(
      () => true,
      () => false,
    );
    return { metric: "up", labels: { store }, value: isUp ? 1 : 0 };
  };
  return { gauges: ["up"], read: () => Promise.all(Object.entries(stores).map(ask)) };
}
