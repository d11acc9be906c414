/** Owns the record of batches: which of a load are done, what came of them, and which records they named. */
import { idsOf, readBetween } from "../../api/core/stores/document-walk.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { KnownLoad } from "../known-loads.ts";
import {
  addCounts,
  fetchLoad,
  fromStoredCounts,
  noCounts,
  toStoredCounts,
  type StoredCounts,
} from "../loads.ts";
import type { BatchCounts, BatchJob } from "../queue.ts";

const COLLECTION = "batches";
// Records of batches read at once.
const PAGE = 1000;
// With the names of their records each takes some 60 kB.
const PAGE_WITH_NAMES = 50;
// Revisions have 16 digits for the next two centuries; zeros before them make the order of ids that of batches.
const REVISION_DIGITS = 17;

/** A batch that both stores hold. */
export interface BatchRecord {
  /** Orders the batch; with the load its identity. */
  revision: number;
  counts: BatchCounts;
  /** Identities of the records that its rows named, by collection; only where the load was asked to keep them. */
  named?: Record<string, string[]>;
}

/** Keeps that a batch is done. Of two runs of one batch the first one counts: the second found everything unchanged. */
export async function writeBatchRecord(
  documents: DocumentStore,
  { load }: Pick<BatchJob, "load">,
  batch: BatchRecord,
): Promise<void> {
  const { revision, named } = batch;
  const counts = toStoredCounts(batch.counts);
  const stored = {
    _id: idOf(load, revision),
    revision,
    counts,
    ...(named && { named: toStoredNames(named) }),
  };
  await documents.putMissing(COLLECTION, [stored]);
}

/** What came of one batch; null when it is not done. */
export async function fetchBatchCounts(
  documents: DocumentStore,
  load: string,
  revision: number,
): Promise<BatchCounts | null> {
  const found = await documents.fetch(COLLECTION, idOf(load, revision));
  return found && fromStoredCounts((found as unknown as StoredBatch).counts); // as it is written above
}

/** What came of the batches of a load that are done, in order. */
export async function* readBatchCounts(
  documents: DocumentStore,
  load: string,
): AsyncGenerator<Pick<BatchRecord, "revision" | "counts">> {
  for await (const { revision, counts } of readMembers(documents, load, ["revision", "counts"]))
    yield { revision, counts: fromStoredCounts(counts) };
}

/** What rows named, of one batch after the other. */
export async function* readBatchNames(
  documents: DocumentStore,
  load: string,
): AsyncGenerator<NonNullable<BatchRecord["named"]>> {
  for await (const { named = {} } of readMembers(documents, load, ["named"], PAGE_WITH_NAMES))
    yield fromStoredNames(named);
}

/** Ids as one text for each collection: a list of them takes several times as long to write and to read. */
type StoredNames = Record<string, string | string[]>;

// Identities hold no line breaks.
const SEPARATOR = "\n";

function toStoredNames(named: NonNullable<BatchRecord["named"]>): StoredNames {
  return Object.fromEntries(
    Object.entries(named).map(([collection, ids]) => [collection, ids.join(SEPARATOR)]),
  );
}

/** An earlier release has kept lists. */
function fromStoredNames(named: StoredNames): NonNullable<BatchRecord["named"]> {
  const read = (ids: string | string[]) =>
    typeof ids === "string" ? ids.split(SEPARATOR).filter(Boolean) : ids;
  return Object.fromEntries(Object.entries(named).map(([collection, ids]) => [collection, read(ids)]));
}

/** The names are most of a record by far: who adds up counts does not read them. */
function readMembers<K extends keyof StoredBatch>(
  documents: DocumentStore,
  load: string,
  members: readonly K[],
  pageSize = PAGE,
): AsyncGenerator<Pick<StoredBatch, K>> {
  // The cast: documents of this collection are written above.
  return readBetween(
    documents,
    COLLECTION,
    { ...idsOf(load), members },
    pageSize,
  ) as unknown as AsyncGenerator<Pick<StoredBatch, K>>;
}

/**
 * The load with what its batches have written so far, which its own record tells only once it ends: for showing one that
 * is running or was broken off. One that has succeeded tells it itself.
 */
export async function withCountsSoFar(documents: DocumentStore, load: KnownLoad): Promise<KnownLoad> {
  if (load.state === "succeeded") return load;
  let counts = noCounts();
  for await (const batch of readBatchCounts(documents, load._id)) counts = addCounts(counts, batch.counts);
  // Of one that has succeeded meanwhile the batches may have gone while they were read.
  const now = await fetchLoad(documents, load._id);
  if (now?.state === "succeeded") return now;
  return counts.read < load.counts.read ? load : { ...load, counts };
}

/** Takes away what is kept of a load's batches. */
export async function removeBatchRecords(documents: DocumentStore, load: string): Promise<void> {
  await documents.removeBetween(COLLECTION, idsOf(load));
}

type StoredBatch = Omit<BatchRecord, "counts" | "named"> & { counts: StoredCounts; named?: StoredNames };

function idOf(load: string, revision: number): string {
  return `${load}:${String(revision).padStart(REVISION_DIGITS, "0")}`;
}
