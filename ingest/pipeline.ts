/** Owns the way of a batch: rows are mapped and checked, records written to MongoDB, then to Elasticsearch. */
import type { Stores } from "../api/core/stores/index.ts";
import type { RecordDefinition } from "../api/resources/define-record.ts";
import { writeDeadLetters, type DeadLetter } from "./dead-letters.ts";
import type { Outcome, SourceDefinition } from "./define-source.ts";
import type { BatchCounts, BatchJob } from "./queue.ts";
import { fetchUnindexed, noteUnindexed, removeUnindexed, type Unindexed } from "./unindexed.ts";
import { toStored, writeRecords, type PendingRecord } from "./writers/mongo.ts";
import { formerGroupsOf, isIndexed, writeSearchDocuments } from "./writers/search-index.ts";

/** Rows sorted by what is to be done with them. */
export interface Sorted {
  /** Records by kind, then by id: of rows that name the same record the last one wins. */
  records: Map<RecordDefinition, Map<string, PendingRecord>>;
  /** Rows that became a record, those that a later row outdid included. */
  mapped: number;
  letters: DeadLetter[];
  skipped: number;
  warnings: Record<string, number>;
}

/**
 * Takes one batch all the way. Running it again does no harm: what an earlier run left between the two stores
 * is found by its note and finished.
 */
export async function processBatch(
  stores: Stores,
  source: SourceDefinition,
  job: BatchJob,
  jobId: string,
): Promise<BatchCounts> {
  const sorted = sortRows(source, job);
  let written = 0;
  for (const [record, pending] of sorted.records) {
    const write = isIndexed(record) ? writeBoth : writeTruth;
    written += await write(stores, record, [...pending.values()], jobId);
  }
  await writeDeadLetters(stores.mongo.documents, sorted.letters);
  return {
    read: job.rows.length + job.unreadable.length,
    written,
    unchanged: sorted.mapped - written,
    refused: sorted.letters.length,
    skipped: sorted.skipped,
    warnings: sorted.warnings,
  };
}

/** Writes records that no index is built from; returns how many were written. */
async function writeTruth(
  stores: Stores,
  record: RecordDefinition,
  pending: PendingRecord[],
): Promise<number> {
  return (await writeRecords(stores.mongo, record, pending, () => Promise.resolve())).length;
}

/** Writes records of one kind to MongoDB, then what follows from them to Elasticsearch; returns how many were written. */
async function writeBoth(
  stores: Stores,
  record: RecordDefinition,
  pending: PendingRecord[],
  jobId: string,
): Promise<number> {
  const { documents } = stores.mongo;
  const id = `${jobId}:${record.collection}`;
  const earlier = await fetchUnindexed(documents, id);
  const note: Unindexed = {
    _id: id,
    job: jobId,
    collection: record.collection,
    ids: pending.map(({ stored }) => stored._id),
    formerGroups: earlier?.formerGroups ?? [],
  };
  await noteUnindexed(documents, note);
  const written = await writeRecords(stores.mongo, record, pending, async (held) => {
    const groups = formerGroupsOf(record, held);
    if (groups.length === 0) return;
    note.formerGroups.push(...groups);
    await noteUnindexed(documents, note);
  });
  await writeSearchDocuments(stores, record, written, note.formerGroups);
  await removeUnindexed(documents, id);
  return written.length;
}

/** Maps and checks the rows of a batch. Pure. */
export function sortRows(source: SourceDefinition, job: BatchJob): Sorted {
  const sorted: Sorted = { records: new Map(), mapped: 0, letters: toLetters(job), skipped: 0, warnings: {} };
  for (const outcome of source.mapRows(job.rows, job.context)) {
    const refusal = refusalOf(outcome);
    if (refusal) sorted.letters.push(toLetter(job, outcome, refusal));
    else if (outcome.kind === "record") addRecord(sorted, outcome, job.revision);
    else sorted.skipped += 1;
  }
  return sorted;
}

function addRecord(sorted: Sorted, outcome: Outcome & { kind: "record" }, revision: number): void {
  const { record, data, tells, warnings = [] } = outcome;
  const stored = toStored(record, data, revision);
  const ofKind = sorted.records.get(record) ?? new Map<string, PendingRecord>();
  sorted.records.set(record, ofKind.set(stored._id, { stored, tells }));
  sorted.mapped += 1;
  for (const warning of warnings) sorted.warnings[warning] = (sorted.warnings[warning] ?? 0) + 1;
}

interface Refusal {
  reason: string;
  field?: string;
}

function refusalOf(outcome: Outcome): Refusal | null {
  if (outcome.kind === "refused") return outcome;
  return outcome.kind === "record" ? outcome.record.check(outcome.data) : null;
}

function toLetter(job: BatchJob, { row }: Outcome, { reason, field }: Refusal): DeadLetter {
  const { load, file, source } = job;
  const letter = { load, file, line: row.line, source, reason, text: row.text };
  return field ? { ...letter, field } : letter;
}

function toLetters(job: BatchJob): DeadLetter[] {
  const { load, file, source } = job;
  return job.unreadable.map(({ line, bytes, reason }) => ({ load, file, line, source, reason, bytes }));
}
