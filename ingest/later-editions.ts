/** Owns the question whether a whole edition has been loaded that is later than the one that refused rows are of. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import { fetchRefusedSources } from "./dead-letters.ts";
import { editionsOf, fetchLoadedEditions, isOverlapping, type LoadedEdition } from "./editions.ts";
import { fetchLoad } from "./loads.ts";

/**
 * The latest whole edition that covers something of what a load read of the sources of which it still holds refused
 * rows, or null. It is later when it tells a later day, or when it was begun later: then it has removed what it lacks,
 * whatever its day.
 */
export async function fetchLaterEdition(
  documents: DocumentStore,
  load: string,
): Promise<LoadedEdition | null> {
  const refused = await fetchRefusedSources(documents, load);
  if (refused.length === 0) return null;
  const record = await fetchLoad(documents, load);
  const read = record ? editionsOf(record) : [];
  const own = refused.flatMap((source) => {
    const ofSource = read.filter((edition) => edition.source === source);
    // Of a load that nothing is kept of the rows may be of any edition.
    return ofSource.length > 0 ? ofSource : [{ load, source, isWhole: false }];
  });
  const editions = await fetchLoadedEditions(documents, refused);
  const whole = editions.filter((edition) => edition.isWhole && edition.load !== load);
  return whole.find((edition) => own.some((earlier) => hasOutdated(edition, earlier))) ?? null;
}

function hasOutdated(later: LoadedEdition, earlier: LoadedEdition): boolean {
  if (later.source !== earlier.source || !isOverlapping(later.scope, earlier.scope)) return false;
  const isLaterDay = later.day !== undefined && earlier.day !== undefined && later.day > earlier.day;
  // Ids sort by time.
  return isLaterDay || later.load > earlier.load;
}
