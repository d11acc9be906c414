/**
 * Owns the record of what a replay has mended of a load that has not succeeded yet: a whole edition can finish with it,
 * for what the mended rows hold is known then.
 */
import { idsOf, readBetween } from "../../api/core/stores/document-walk.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";

const COLLECTION = "mended_batches";
// Records of batches read at once.
const PAGE = 1000;

/** Rows of a batch that were refused and that a replay has had accepted since. */
export interface MendedBatch {
  load: string;
  /** Of the batch that refused them. */
  revision: number;
  lines: number[];
  /** Identities of the records that rows of its replays named, by collection. */
  named: Record<string, string[]>;
}

/** Keeps it, together with what earlier replays of the batch have mended. */
export async function addMendedBatch(documents: DocumentStore, mended: MendedBatch): Promise<void> {
  const _id = `${mended.load}:${mended.revision}`;
  // The cast: documents of this collection are written here.
  const kept = (await documents.fetch(COLLECTION, _id)) as unknown as MendedBatch | null;
  const named = { ...kept?.named };
  for (const [collection, ids] of Object.entries(mended.named)) {
    named[collection] = unite(named[collection] ?? [], ids);
  }
  await documents.put(COLLECTION, { ...mended, _id, lines: unite(kept?.lines ?? [], mended.lines), named });
}

/** How many rows of each batch have been mended, by its revision. */
export async function countMended(documents: DocumentStore, load: string): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for await (const { revision, lines } of readMended(documents, load)) counts.set(revision, lines.length);
  return counts;
}

/** What mended rows have named, of one batch after the other. */
export async function* readMendedNames(
  documents: DocumentStore,
  load: string,
): AsyncGenerator<MendedBatch["named"]> {
  for await (const { named } of readMended(documents, load)) yield named;
}

/** Takes away what is kept of a load. */
export async function removeMendedBatches(documents: DocumentStore, load: string): Promise<void> {
  await documents.removeBetween(COLLECTION, idsOf(load));
}

function readMended(documents: DocumentStore, load: string): AsyncGenerator<MendedBatch> {
  return readBetween(documents, COLLECTION, idsOf(load), PAGE) as unknown as AsyncGenerator<MendedBatch>;
}

function unite<Item>(a: Item[], b: Item[]): Item[] {
  return [...new Set([...a, ...b])];
}
