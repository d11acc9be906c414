/** Owns the limits of downloads: how many run at once, and whose page is fetched next. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Budget } from "../../shared/runtime/deadlines.ts";
import { Admission } from "./admission.ts";
import type { AppContext } from "../request-context.ts";

// A reader that takes nothing for this long is gone, or occupies a place that others could use.
const STALLED_MS = 120_000;
const RETRY_AFTER_SECONDS = 30;

/** Running downloads. */
export interface Downloads {
  /**
   * Begins a download, which lasts as long as its connection: one whose reader takes no byte for some time is ended. Throws
   * BusyError when there are enough.
   */
  begin: (ctx: AppContext, caller: string) => Promise<void>;
  /**
   * Fetches a page. Only one is fetched at a time, however many downloads there are: making its lines takes time from every
   * other request, and a pause as long as the page took follows. Each page has a budget of its own, as long as a request's.
   */
  inTurn: <T>(ctx: AppContext, caller: string, fetch: (budget?: Budget) => Promise<T>) => Promise<T>;
}

/** The limit of concurrent downloads; one caller may have half of them. */
export function openDownloads(atOnce: number, stalledMs = STALLED_MS): Downloads {
  const retry = { what: "downloads", retryAfterSeconds: RETRY_AFTER_SECONDS };
  const downloads = new Admission({ ...retry, atOnce, waiting: 0 });
  // Limit: as many may wait as may run.
  const pages = new Admission({ ...retry, atOnce: 1, waiting: Infinity });
  return {
    begin: async ({ res }, caller) => {
      const leave = await downloads.enter(caller);
      if (res.destroyed) return leave();
      res.once("close", leave);
      res.setTimeout(stalledMs, () => res.destroy());
    },
    inTurn: ({ state: { budget } }, caller, fetch) =>
      pages.run(caller, undefined, async () => {
        const startedAt = performance.now();
        const page = await (budget ? budget.goOn(fetch) : fetch());
        // Inside its turn, so that fast readers leave at least half of the time to others.
        await sleep(performance.now() - startedAt);
        return page;
      }),
  };
}
