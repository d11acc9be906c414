/** Owns what past loads say of the editions that were loaded: of which source, covering what of it, of which day. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchHistory, type LoadRecord, type SurveyedFile } from "./loads.ts";

/** The files of one source and one scope that one load has read. */
export interface LoadedEdition extends Pick<SurveyedFile, "source" | "scope"> {
  load: string;
  /** The day that it shows, of several the latest; absent where it tells none. */
  day?: string;
  /** Of which product, where files of several are one format. */
  product?: string | undefined;
  /** True: a load with `--complete` that has succeeded; what it lacks is gone. */
  isWhole: boolean;
}

/** The editions that one load has read; none before all of its files have been. It still counts when it failed or has not ended. */
export function editionsOf({ _id: load, state, plan, surveyed = [] }: LoadRecord): LoadedEdition[] {
  const isWhole = state === "succeeded" && plan.isComplete;
  const editions: LoadedEdition[] = [];
  for (const { source, scope, part: { product } = {}, production_date: day } of surveyed) {
    const known = editions.find((edition) => edition.source === source && edition.scope === scope);
    const edition = { load, source, product, isWhole, ...(scope && { scope }), ...(day && { day }) };
    if (!known) editions.push(edition);
    else if (day !== undefined && day > (known.day ?? "")) known.day = day;
  }
  return editions;
}

/** True when one record may stand in editions of these scopes of one source: without a scope one covers all of it. */
export function isOverlapping(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/**
 * The last load of each source that succeeded, by the source's name: when it ended, as an ISO time, and the latest day that
 * its files of this source tell, where they tell one: `2026-11-01`.
 */
export async function fetchLastLoads(documents: DocumentStore) {
  const last = new Map<string, { load: string; finishedAt: string; productionDate?: string }>();
  for (const { _id: load, state, finished_at: finishedAt, surveyed = [] } of await fetchHistory(documents)) {
    if (state !== "succeeded" || !finishedAt) continue;
    for (const source of new Set(surveyed.flatMap((file) => (file.mends === undefined ? file.source : [])))) {
      if (finishedAt <= (last.get(source)?.finishedAt ?? "")) continue;
      const days = surveyed.flatMap((file) => (file.source === source ? (file.production_date ?? []) : []));
      const productionDate = days.toSorted().at(-1);
      last.set(source, { load, finishedAt, ...(productionDate && { productionDate }) });
    }
  }
  return last;
}
