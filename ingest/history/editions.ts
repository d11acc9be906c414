/** Owns the editions that have been loaded: of which source, covering what of it, of which day. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchLatestLoads, LOADS_LOOKED_AT, type LoadRecord, type SurveyedFile } from "./loads.ts";

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

/** The editions of these sources, of the latest load first. A load still counts when it failed or has not ended. */
export async function fetchLoadedEditions(
  documents: DocumentStore,
  sources: readonly string[],
): Promise<LoadedEdition[]> {
  const loads = await fetchLatestLoads(documents, LOADS_LOOKED_AT);
  return loads.flatMap(editionsOf).filter(({ source }) => sources.includes(source));
}

/** The editions that one load has read; none before all of its files have been. */
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
