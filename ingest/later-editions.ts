/** Owns the question whether a whole edition has been loaded that is later than the one that refused rows are of. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import { fetchRefusedSources } from "./dead-letters.ts";
import { fetchLatestLoads, fetchLoad, LOADS_LOOKED_AT, type LoadRecord } from "./loads.ts";

/** A load with `--complete` that has succeeded: what its edition lacks is gone. */
export interface LaterEdition {
  load: string;
  source: string;
  /** The day that it shows, where it tells one. */
  day?: string;
}

/**
 * The latest whole edition of a source of which the load still holds refused rows, or null. It is later when it tells a
 * later day, or when it was begun later: then it has removed what it lacks, whatever its day.
 */
export async function fetchLaterEdition(
  documents: DocumentStore,
  load: string,
): Promise<LaterEdition | null> {
  const refused = await fetchRefusedSources(documents, load);
  if (refused.length === 0) return null;
  const own = await fetchLoad(documents, load);
  for (const other of await fetchLatestLoads(documents, LOADS_LOOKED_AT)) {
    if (other._id === load || other.state !== "succeeded" || !other.plan.isComplete) continue;
    for (const source of refused.filter((name) => holds(other, name))) {
      const day = latestDay(other, source);
      const ownDay = latestDay(own, source);
      const isLaterDay = day !== undefined && ownDay !== undefined && day > ownDay;
      // Ids sort by time.
      if (isLaterDay || other._id > load)
        return { load: other._id, source, ...(day !== undefined && { day }) };
    }
  }
  return null;
}

function holds({ surveyed = [] }: LoadRecord, source: string): boolean {
  return surveyed.some((file) => file.source === source);
}

function latestDay(record: LoadRecord | null, source: string): string | undefined {
  const files = record?.surveyed?.filter((file) => file.source === source) ?? [];
  return files
    .flatMap(({ production_date: day }) => day ?? [])
    .toSorted()
    .at(-1);
}
