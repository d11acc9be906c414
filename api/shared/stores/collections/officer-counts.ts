/**
 * Owns how many appointments of an officer are inactive, kept for officers who hold very many: to find it out takes a look
 * at each of their companies. Ingest writes it (`ingest/persons/inactive.ts`).
 */
import type { Budget } from "../../runtime/deadlines.ts";
import type { DocumentStore } from "../mongodb/documents.ts";

/** The collection; ids are those of officers as they are shown. */
export const OFFICER_COUNTS = "officer_counts";

/** Of officers who serve more companies than this the number is kept; of others it is found out as it is asked for. */
export const KEPT_FROM = 500;

/** Serving appointments in companies that have ended; null where it is not kept. */
export async function fetchInactiveCount(
  documents: Pick<DocumentStore, "fetchAll">,
  officerId: string,
  budget?: Budget,
): Promise<number | null> {
  const [kept] = await documents.fetchAll(OFFICER_COUNTS, { _id: [officerId] }, undefined, budget);
  return kept ? Number(kept.inactive) : null;
}
