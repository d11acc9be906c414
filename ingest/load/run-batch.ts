/** Owns a batch in the worker: it is taken all the way, then recorded as done. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { SourceDefinition } from "../define-source.ts";
import { processBatch, sortRows, type Sorted } from "../pipeline.ts";
import type { BatchCounts, BatchJob } from "../queue.ts";
import { writeBatchRecord } from "./batch-records.ts";

/** Runs a batch of a load. Running it again does no harm. */
export async function runBatch(
  stores: Stores,
  source: SourceDefinition,
  job: BatchJob,
  jobId: string,
): Promise<BatchCounts> {
  const sorted = sortRows(source, job);
  const counts = await processBatch(stores, source, job, jobId, { sorted, ownRevision: job.revision });
  const named = job.isComplete ? { named: namedIn(sorted) } : {};
  await writeBatchRecord(stores.mongo.documents, job, { revision: job.revision, counts, ...named });
  return counts;
}

/** Identities of the records that rows named, by collection. */
export function namedIn({ records }: Pick<Sorted, "records">): Record<string, string[]> {
  return Object.fromEntries(
    [...records].map(([{ collection }, pending]) => [collection, [...pending.keys()]] as const),
  );
}
