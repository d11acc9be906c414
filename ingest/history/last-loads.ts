/** Owns the question when each source was last loaded with success. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchLatestLoads, LOADS_LOOKED_AT } from "./loads.ts";

/** The last load of a source that succeeded. */
export interface LastLoad {
  load: string;
  /** When it ended, as an ISO time. */
  finishedAt: string;
  /** The latest day that its files of this source tell, where they tell one: `2026-11-01`. */
  productionDate?: string;
}

/** By name of the source. */
export async function fetchLastLoads(documents: DocumentStore): Promise<Map<string, LastLoad>> {
  const last = new Map<string, LastLoad>();
  for (const { _id, state, finished_at, surveyed = [] } of await fetchLatestLoads(
    documents,
    LOADS_LOOKED_AT,
  )) {
    if (state !== "succeeded" || !finished_at) continue;
    for (const source of new Set(surveyed.flatMap((file) => (file.mends === undefined ? file.source : [])))) {
      if (finished_at <= (last.get(source)?.finishedAt ?? "")) continue;
      const days = surveyed.flatMap((file) =>
        file.source === source && file.production_date ? [file.production_date] : [],
      );
      const productionDate = days.toSorted().at(-1);
      last.set(source, { load: _id, finishedAt: finished_at, ...(productionDate && { productionDate }) });
    }
  }
  return last;
}
