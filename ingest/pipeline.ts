/** Owns the way of a batch: rows are mapped and checked, records written to MongoDB, and the change is entered in the log. */
import type { Members } from "../api/core/members.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { RecordDefinition } from "../api/resources/define-record.ts";
import { applyChanges } from "./statements/apply-changes.ts";
import { applyEvents, idsOfEvent, type PendingEvent } from "./statements/apply-events.ts";
import { fetchPrints } from "./history/fingerprints.ts";
import { findTable } from "./sources/index.ts";
import { KnownRows } from "./statements/fingerprint.ts";
import { keepRefused, type DeadLetter } from "./dead-letters/dead-letters.ts";
import type { Outcome, SourceDefinition } from "./sources/define-source.ts";
import type { HeldChange } from "./statements/held-memory.ts";
import { BatchChange } from "./log/batch-change.ts";
import { idsByCollection, type Ids } from "./log/changes.ts";
import { tellCorrections } from "./persons/corrections.ts";
import { learnRealIds } from "./persons/ids.ts";
import type { BatchCounts, BatchJob } from "./queue/queue.ts";
import type { Incoming } from "./statements/absorb.ts";
import type { Told } from "./statements/statement.ts";
import {
  isWritten,
  writeStatements,
  type KindOutcome,
  type Truth,
  type Writing,
} from "./statements/write.ts";
import { toStored } from "./statements/stored.ts";

/** Rows sorted by what is to be done with them. */
export interface Sorted {
  /** Records by kind, then by id: of rows that name the same record the last one wins. */
  records: Map<RecordDefinition, Map<string, Incoming>>;
  /** Events by kind, then by address and identity: of those that name the same the highest timepoint wins. */
  events: Map<RecordDefinition, Map<string, PendingEvent>>;
  /** Changes of what is held, by kind, in the order in which they apply. */
  changes: Map<RecordDefinition, HeldChange[]>;
  /** Rows that became a record, a removal or a change, those that another row outdid included. */
  mapped: number;
  letters: DeadLetter[];
  skipped: number;
  warnings: Record<string, number>;
}

/**
 * Takes one batch all the way. Running it again does no harm: what an earlier run has begun stands in the change log, and is
 * followed from there.
 */
export async function processBatch(
  stores: Stores,
  source: SourceDefinition,
  job: BatchJob,
  jobId: string,
  sorted = sortRows(source, job),
): Promise<BatchCounts> {
  const { load, revision, apart, pieces } = job;
  const { documents } = stores.mongo;
  const ids = idsOf(sorted);
  const done = await BatchChange.make(stores, { load, job: jobId, revision, ids }, async (change) => {
    const before =
      job.prints?.of === undefined ? new Map() : await fetchPrints(documents, job.prints.of, ids);
    const known = job.prints && new KnownRows(findTable, before);
    const open = known ? { ...sorted, records: known.leaveOut(sorted.records) } : sorted;
    const counts = { read: countRead(job), written: 0, removed: 0, unchanged: 0, skipped: sorted.skipped };
    const warnings = { ...sorted.warnings };
    const writeKind: WriteKind = async (record, told, write) => {
      await learnRealIds(documents, record, told, (officers) => change.leaveDocuments({ officers }));
      const done = await write({ revision, onLeave: (held) => change.leave(record, held) });
      await change.index(record, done.outcome, apart && { version: revision, apart, pieces });
      known?.note(done.outcome);
      counts.written += done.written;
      counts.removed += done.removed;
      for (const warning of done.warnings ?? []) warnings[warning] = (warnings[warning] ?? 0) + 1;
    };
    await writeKinds(stores.mongo, open, job, writeKind);
    if (sorted.letters.length > 0) await keepRefused(documents, source.groupKey, job, sorted.letters);
    counts.unchanged = sorted.mapped - counts.written - counts.removed;
    return {
      counts: { ...counts, refused: sorted.letters.length, warnings },
      ...(known && { prints: known.listPrints(ids) }),
    };
  });
  return done.counts;
}

/** Writes records of one kind by what writes them to MongoDB. `told`: data as they come in, whether they will be written or not. */
type WriteKind = (
  record: RecordDefinition,
  told: readonly Members[],
  write: (writing: Writing) => Promise<KindOutcome>,
) => Promise<void>;

/** Writes the rows of a batch to MongoDB, kind by kind. */
export async function writeKinds(
  mongo: Truth,
  sorted: Sorted,
  { context, apart }: BatchJob,
  writeKind: WriteKind,
): Promise<void> {
  for (const [record, rows] of sorted.records) {
    const of = [...rows.values()];
    const told = of.flatMap(({ statements }) => dataOf(statements));
    await writeKind(record, told, (writing) => writeRows(mongo, record, of, writing, apart !== undefined));
  }
  for (const [record, events] of sorted.events) {
    const of = [...events.values()];
    const told = of.flatMap(({ data }): Members[] => (data ? [data] : []));
    await writeKind(record, told, (writing) => applyEvents(mongo, record, of, writing));
  }
  // A source of changes tells its day: it is part of its header.
  const productionDate = context.productionDate ?? "";
  for (const [record, changes] of sorted.changes)
    await writeKind(record, [], (writing) =>
      applyChanges(mongo, record, changes, { ...writing, productionDate }),
    );
}

/** Writes records of one kind that rows tell. `isFirst`: nothing was known of any person as their load began. */
export async function writeRows(
  mongo: Truth,
  record: RecordDefinition,
  rows: readonly Incoming[],
  writing: Writing,
  isFirst = false,
): Promise<KindOutcome> {
  const incoming = isFirst ? rows : await tellCorrections(mongo, rows);
  const outcome = await writeStatements(mongo, record, incoming, writing);
  const written = outcome.filter((item) => isWritten(item, writing.revision)).length;
  const created = outcome.filter(({ effect }) => effect === "created").length;
  return { outcome, written, created, removed: 0 };
}

/** Identities of the records that a batch may write, by collection. */
export function idsOf({ records, events, changes }: Pick<Sorted, "records" | "events" | "changes">): Ids {
  return idsByCollection([
    ...[...records].map(([record, rows]) => [record, rows.keys()] as const),
    ...[...events].map(([record, some]) => [record, [...some.values()].flatMap(idsOfEvent)] as const),
    ...[...changes].map(([record, some]) => [record, some.flatMap((one) => one.identities)] as const),
  ]);
}

function dataOf(statements: readonly Told[]): Members[] {
  return statements.flatMap(({ data }) => (data ? [data] : []));
}

/** Lines of a batch, blank ones included. */
export function countRead({ rows, unreadable, blank = 0 }: BatchJob): number {
  return rows.filter(({ isContext }) => !isContext).length + unreadable.length + blank;
}

/** Maps and checks the rows of a batch. Pure. */
export function sortRows(source: SourceDefinition, job: BatchJob): Sorted {
  const sorted: Sorted = {
    ...{ records: new Map(), events: new Map(), changes: new Map(), letters: toLetters(job) },
    ...{ mapped: 0, skipped: job.blank ?? 0, warnings: {} },
  };
  const isLacked = lackOf(source, job);
  for (const outcome of source.mapRows(job.rows, job.context, job.unreadable)) {
    if (outcome.row.isContext) continue;
    const refusal = refusalOf(outcome);
    if (!refusal) countWarnings(sorted, outcome.warnings ?? []);
    if (refusal) sorted.letters.push(toLetter(job, outcome, refusal));
    else if (outcome.kind === "record") addRecord(sorted, outcome, job, isLacked);
    else if (outcome.kind === "change") addChange(sorted, outcome);
    else if (outcome.kind === "removal")
      addEvent(sorted, outcome.record, { ...outcome.event, id: outcome.id });
    else if (outcome.kind === "skipped") sorted.skipped += 1;
  }
  return sorted;
}

/** True for a record that a whole edition which came since would hold. */
type Lack = (record: RecordDefinition, data: Members) => boolean;

function lackOf({ completeness }: SourceDefinition, { lackedBy, revision }: BatchJob): Lack | undefined {
  if (!completeness || !lackedBy) return undefined;
  return (record, data) => completeness.covers(toStored(record, data, revision), lackedBy);
}

function addRecord(
  sorted: Sorted,
  outcome: Outcome & { kind: "record" },
  { context, revision, place = revision }: BatchJob,
  isLacked: Lack = () => false,
): void {
  const { record, tells, event } = outcome;
  // The cast: it has obeyed a schema of objects.
  const data = outcome.data as Members;
  const id = record.identify(data);
  if (event) return addEvent(sorted, record, { ...event, id, data });
  // A row without a day is placed when it is seen what is held.
  const at = context.productionDate ?? "";
  const stamp = { at, place, ...(tells !== undefined && { tells }) };
  const isUndated = at === "";
  const row: Incoming = { id, statements: [{ ...stamp, data }], isUndated };
  // Nobody holds it, although that edition has been loaded: it is gone.
  if (isLacked(record, data)) row.isMeant = (held) => held !== undefined;
  mapOf(sorted.records, record).set(id, row);
  sorted.mapped += 1;
}

function addChange(sorted: Sorted, { record, change }: Outcome & { kind: "change" }): void {
  const ofKind = sorted.changes.get(record) ?? [];
  ofKind.push(change);
  sorted.changes.set(record, ofKind);
  sorted.mapped += 1;
}

export function countWarnings(sorted: Sorted, warnings: string[]): void {
  for (const warning of warnings) sorted.warnings[warning] = (sorted.warnings[warning] ?? 0) + 1;
}

function addEvent(sorted: Sorted, record: RecordDefinition, event: PendingEvent): void {
  const { stamp, data, id = "" } = event;
  // An older event counts where it tells another identity: what is held under that one must go.
  const key = [stamp.uri, data ? "changed" : "deleted", id].join("\t");
  const ofKind = mapOf(sorted.events, record);
  // Of equal ones the first stays, as it does when the second comes in a later batch.
  if (stamp.timepoint > (ofKind.get(key)?.stamp.timepoint ?? -1)) ofKind.set(key, event);
  sorted.mapped += 1;
}

function mapOf<Value>(
  byKind: Map<RecordDefinition, Map<string, Value>>,
  record: RecordDefinition,
): Map<string, Value> {
  const ofKind = byKind.get(record) ?? new Map<string, Value>();
  byKind.set(record, ofKind);
  return ofKind;
}

interface Refusal {
  reason: string;
  field?: string;
}

function refusalOf(outcome: Outcome): Refusal | null {
  if (outcome.kind === "refused") return outcome;
  if (outcome.kind === "record") return outcome.record.check(outcome.data);
  return outcome.kind === "change" && outcome.data !== undefined ? outcome.record.check(outcome.data) : null;
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
