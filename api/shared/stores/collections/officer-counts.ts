/**
 * Stores the number of inactive appointments of officers with very many appointments, because counting reads each of
 * their companies. Ingest writes it (`ingest/persons/inactive.ts`).
 */
import type { Budget } from "../../runtime/deadlines.ts";
import type { DocumentStore } from "../mongodb/documents.ts";

/** The collection; its ids are the officers' ids in the API. */
export const OFFICER_COUNTS = "officer_counts";

/** The API uses the stored count of officers with more serving appointments than this, and counts for others itself. */
export const KEPT_FROM = 500;

/** Number of an officer's serving appointments in companies that have ended; null if it is not stored. */
export async function fetchInactiveCount(
  documents: Pick<DocumentStore, "fetchAll">,
  officerId: string,
  budget?: Budget,
): Promise<number | null> {
  const [kept] = await documents.fetchAll(OFFICER_COUNTS, { _id: [officerId] }, undefined, budget);
  return kept ? Number(kept.inactive) : null;
}
