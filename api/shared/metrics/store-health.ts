/** Owns the gauge of the stores that answer. */
import { within } from "../runtime/within.ts";
import type { Sample } from "./metrics.ts";
import type { Reading } from "./readings.ts";

/** What can be asked whether it is there. */
export type Pinged = Partial<Record<"mongodb" | "elasticsearch" | "redis", { ping: () => Promise<void> }>>;

// Shorter than the deadline of readings: one store that does not answer must not delay the report of the others.
const ANSWER_MS = 1_500;

/** Reads which of these stores answer. */
export function readStoreHealth(stores: Pinged): Reading {
  const asking = new Map<string, Promise<boolean>>();
  const ask = (store: string, ping: () => Promise<void>) => {
    const begun = asking.get(store) ?? ping().then(yes, no);
    asking.set(store, begun);
    void begun.then(() => asking.delete(store));
    return begun;
  };
  return {
    gauges: ["up"],
    read: () =>
      Promise.all(
        Object.entries(stores).map(async ([store, { ping }]): Promise<Sample> => {
          const isUp = await within(ANSWER_MS, ask(store, ping)).catch(no);
          return { metric: "up", labels: { store }, value: isUp ? 1 : 0 };
        }),
      ),
  };
}

const yes = () => true;
const no = () => false;
