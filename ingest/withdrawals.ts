/**
 * Owns the withdrawals: identities that a daily update has taken away, because it deleted the record or moved it to
 * another identity, whether it was held or not. A withdrawal stays for good, so that neither an older snapshot nor a
 * repeat of the update brings the record, whichever of them comes first.
 */
import type { DocumentStore } from "../api/core/stores/mongo.ts";

const COLLECTION = "withdrawals";

/** One identity that is gone. */
export interface Withdrawal {
  /** `_id` that the record had. */
  record_id: string;
  /** Place in the series of updates at which it went. */
  place: number;
  /** The day of that update, `YYYY-MM-DD`. */
  day: string;
  /** Of the batch that took it. */
  revision: number;
  /** True where nothing was held under it. */
  isForeseen?: boolean;
}

/** Keeps withdrawals of a collection's records; of two of one identity the later place stays. */
export async function raiseWithdrawals(
  documents: DocumentStore,
  collection: string,
  withdrawals: Withdrawal[],
): Promise<void> {
  if (withdrawals.length === 0) return;
  const stored = withdrawals.map((withdrawal) => ({
    _id: idOf(collection, withdrawal.record_id),
    ...withdrawal,
  }));
  await documents.raise(COLLECTION, stored, "place");
}

/** The withdrawals among these identities, by identity. */
export async function fetchWithdrawals(
  documents: DocumentStore,
  collection: string,
  ids: string[],
): Promise<Map<string, Withdrawal>> {
  if (ids.length === 0) return new Map();
  const found = await documents.fetchAll(COLLECTION, { _id: ids.map((id) => idOf(collection, id)) });
  // The cast: documents of this collection are written above.
  const withdrawals = found as unknown as Withdrawal[];
  return new Map(withdrawals.map((withdrawal) => [withdrawal.record_id, withdrawal]));
}

function idOf(collection: string, id: string): string {
  return `${collection}/${id}`;
}
