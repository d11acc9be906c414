/** Owns the way of a batch: rows are mapped and checked, records written to MongoDB, then to Elasticsearch. */
import type { Stores } from "../api/core/stores/index.ts";
import type { StoredRecord } from "../api/resources/define-record.ts";
import { writeDeadLetters, type DeadLetter } from "./dead-letters.ts";
import type { Outcome, SourceDefinition } from "./define-source.ts";
import type { BatchCounts, BatchJob } from "./queue.ts";
import { toStored, writeRecords } from "./writers/mongo.ts";
import { writeSearchDocuments } from "./writers/search-index.ts";

/** Rows sorted by what is to be done with them. */
export interface Sorted {
  records: StoredRecord[];
  /** Rows whose record came again later in the batch: the last one wins. */
  repeated: number;
  letters: DeadLetter[];
  skipped: number;
  warnings: Record<string, number>;
}

/**
 * Takes one batch all the way. Running it again does no harm; `isRerun` says that an earlier run may have
 * ended between the two stores, so that what MongoDB already holds is sent to Elasticsearch once more.
 */
export async function processBatch(
  stores: Stores,
  source: SourceDefinition,
  job: BatchJob,
  isRerun: boolean,
): Promise<BatchCounts> {
  const sorted = sortRows(source, job);
  const { changed, unchanged } = await writeRecords(stores.mongo.writer, source.record, sorted.records);
  await writeSearchDocuments(stores, source.record, isRerun ? [...changed, ...unchanged] : changed);
  await writeDeadLetters(stores.mongo.documents, sorted.letters);
  return {
    read: job.rows.length + job.unreadable.length,
    written: changed.length,
    unchanged: sorted.records.length - changed.length + sorted.repeated,
    refused: sorted.letters.length,
    skipped: sorted.skipped,
    warnings: sorted.warnings,
  };
}

/** Maps and checks the rows of a batch. Pure. */
export function sortRows(source: SourceDefinition, job: BatchJob): Sorted {
  const records = new Map<string, StoredRecord>();
  const sorted: Sorted = { records: [], repeated: 0, letters: toLetters(job), skipped: 0, warnings: {} };
  for (const outcome of source.mapRows(job.rows, job.context)) {
    const refusal = refusalOf(source, outcome);
    if (refusal) sorted.letters.push(toLetter(job, outcome, refusal));
    else if (outcome.kind === "record") {
      const stored = toStored(source.record, outcome.data, job.revision);
      if (records.delete(stored._id)) sorted.repeated += 1;
      records.set(stored._id, stored);
      for (const warning of outcome.warnings ?? []) {
        sorted.warnings[warning] = (sorted.warnings[warning] ?? 0) + 1;
      }
    } else sorted.skipped += 1;
  }
  sorted.records = [...records.values()];
  return sorted;
}

interface Refusal {
  reason: string;
  field?: string;
}

function refusalOf(source: SourceDefinition, outcome: Outcome): Refusal | null {
  if (outcome.kind === "refused") return outcome;
  if (outcome.kind === "skipped") return null;
  return source.record.check(outcome.data);
}

function toLetter(job: BatchJob, { row }: Outcome, { reason, field }: Refusal): DeadLetter {
  const letter = {
    load: job.load,
    file: job.file,
    line: row.line,
    source: job.source,
    reason,
    text: row.text,
  };
  return field ? { ...letter, field } : letter;
}

function toLetters(job: BatchJob): DeadLetter[] {
  const { load, file, source } = job;
  return job.unreadable.map(({ line, bytes, reason }) => ({ load, file, line, source, reason, bytes }));
}
