/** Processes a batch: maps and checks its rows, writes the records to MongoDB, and enters the change in the log. */
import type { Members } from "../api/shared/values/members.ts";
import type { Stores } from "../api/shared/stores/index.ts";
import type { RecordDefinition, StoredRecord } from "../api/shared/definitions/define-record.ts";
import { keepRefused, type RefusedRow } from "./refused-rows/refused-rows.ts";
import { noCounts } from "./history/counts.ts";
import { BatchChange } from "./log/batch-change.ts";
import type { Ids } from "./log/changes.ts";
import { learnRealIds, addCorrections } from "./persons/facts.ts";
import type { BatchCounts, BatchJob, RowPlace } from "./queue/queue.ts";
import { toPlainText } from "./readers/plain-text.ts";
import { isUnreadable, type RawRow, type ReadRow, type UnreadableRow } from "./readers/read-rows.ts";
import type { Outcome, RowEvent, SourceDefinition } from "./sources/define-source.ts";
import type { Incoming } from "./statements/absorb.ts";
import { keepLastPerAddress, removeFormer, settleAddresses, toStatement } from "./statements/addresses.ts";
import type { RecordChange } from "./statements/record-change.ts";
import { applyChanges } from "./statements/records-in-memory.ts";
import type { FullStatement } from "./statements/statement.ts";
import { isWritten, writeStatements } from "./statements/write.ts";
import type { KindOutcome, KindWriting, MongoRecords, Written } from "./statements/write.ts";

const HAD_CONTROLS = "control characters, read as blanks";

interface OfKind {
  /** Statements by record id. Of several rows for a record the last one wins, but all its events count. */
  rows: Map<string, Incoming>;
  /** Events whose address does not contain the identity of the record. */
  addressed: RowEvent[];
  /** Changes of stored records, in the order in which they apply. */
  changes: RecordChange[];
}

interface Sorted {
  kinds: Map<RecordDefinition, OfKind>;
  /** Until they are written, rows that became a record, a removal or a change count as unchanged. */
  counts: BatchCounts;
  refused: RefusedRow[];
}

/** Returns the counts of a batch. Running a batch again is safe: followers read earlier changes from the log. */
export async function processBatch(stores: Stores, source: SourceDefinition, job: BatchJob, jobId: string) {
  const { load, revision, apart, first } = job;
  const { documents } = stores.mongo;
  const sorted = sortRows(source, job);
  const ids = idsOf(sorted);
  const fresh = { load, job: jobId, revision, ...(first && { first }) };
  const { counts } = await BatchChange.make(stores, { ...fresh, ids }, async (change) => {
    // Stored first: if Elasticsearch rejects a document of the batch, `follow` does not run the batch again.
    if (sorted.refused.length > 0) await keepRefused(documents, source.groupKey, job, sorted.refused);
    const counts = await countKinds(sorted, async (record, of) => {
      const statements = statementsOf(of);
      await learnRealIds(documents, record, statements, (officers) => change.noteDocuments({ officers }));
      const writing: KindWriting = {
        revision,
        onReplace: (replaced) => change.noteReplaced(record, replaced),
        isFirst: first?.includes(record.collection) === true,
        // Uses the same job id, so that another run of the batch closes changes that this run leaves open.
        writeApart: (incoming) => BatchChange.write(stores, fresh, record, incoming),
      };
      const written = await writeKind(stores.mongo, record, of, job, writing);
      await change.index(record, written.outcome, apart);
      return written;
    });
    return { counts };
  });
  return counts;
}

export async function countKinds(
  { kinds, counts }: Sorted,
  write: (record: RecordDefinition, of: OfKind) => Promise<KindOutcome>,
): Promise<BatchCounts> {
  for (const [record, of] of kinds) {
    const { written, removed, warnings } = await write(record, of);
    counts.written += written;
    counts.removed += removed;
    counts.unchanged -= written + removed;
    countWarnings(counts, warnings);
  }
  return counts;
}

export async function writeKind(
  mongo: MongoRecords,
  record: RecordDefinition,
  of: OfKind,
  { context, apart }: Pick<BatchJob, "context" | "apart">,
  writing: KindWriting,
): Promise<KindOutcome> {
  // A source of changes has only rows of changes, and its header always contains the day.
  const productionDate = context.productionDate ?? "";
  if (of.changes.length > 0) return applyChanges(mongo, record, of.changes, { ...writing, productionDate });
  const rows = keepLastPerAddress(record, of.rows.values());
  // Only a first load has `apart`, and no corrections are stored before it.
  const incoming = apart ? rows : await addCorrections(mongo, record, rows);
  const stated = await writeStatements(mongo, record, incoming, writing);
  const settled = await settleAddresses(mongo, record, { ...of, ids: [...of.rows.keys()], stated }, writing);
  const former = await removeFormer(mongo, record, { rows, stated }, writing);
  const outcome = [
    ...new Map([...stated, ...settled, ...former].map((item) => [item.stored._id, item])).values(),
  ];
  return { outcome, ...countRows(of, outcome, writing.revision) };
}

/** Counts the outcome of rows. An event is written if its record stores it. A deletion is one removal at most. */
function countRows(of: OfKind, outcome: readonly Written[], revision: number) {
  const count = (effect: Written["effect"]) => outcome.filter((item) => item.effect === effect).length;
  const written = outcome.filter((item) => {
    const statement = of.rows.get(item.stored._id)?.statements.find(({ data }) => data);
    return statement !== undefined && isWritten(item, revision, statement.event !== undefined);
  });
  const deleted = new Set(statementsOf(of).flatMap(({ gone, event }) => (gone && event ? event.uri : [])));
  const removed = Math.min(count("removed"), deleted.size);
  return { written: written.length, created: count("created"), removed, warnings: [] };
}

function statementsOf({ rows }: OfKind): FullStatement[] {
  return [...rows.values()].flatMap(({ statements }) => statements);
}

export function idsOf({ kinds }: Sorted): Ids {
  const ids = Array.from(kinds, ([{ collection }, { rows, changes }]): [string, string[]] => {
    const changed = changes.flatMap(({ identities }) => identities);
    return [collection, [...new Set([...rows.keys(), ...changed])]];
  });
  return Object.fromEntries(ids);
}

/** The keys of the records in a batch, read from the same plain text that `sortRows` maps. Pure. */
export function recordKeysOf(
  source: SourceDefinition,
  { rows, context }: Pick<BatchJob, "rows" | "context">,
) {
  const { reader, recordKey = source.groupKey } = source;
  return rows.flatMap((row) =>
    isUnreadable(row) ? [] : (recordKey?.(toPlainText(row.text, reader).text, context) ?? []),
  );
}

/** Maps and checks the rows of a batch. Pure. */
export function sortRows(source: SourceDefinition, job: BatchJob): Sorted {
  const { load, file, source: name, context } = job;
  const from = { load, file, source: name };
  const { rows, unread, originals } = toPlainRows(source, job.rows);
  const refused = unread.map((row): RefusedRow => ({ ...from, ...row }));
  const counts = { ...noCounts(), read: job.rows.length };
  const sorted: Sorted = { kinds: new Map(), counts, refused };
  for (const outcome of source.mapRows(rows, context, unread.map(toUnreadable))) {
    const { line, text, hadControls }: OriginalRow = originals.get(outcome.row) ?? outcome.row;
    const refusal = refusalOf(outcome);
    if (refusal) {
      const { reason, field } = refusal;
      refused.push({ ...from, line, reason, text, ...(field && { field }) });
      continue;
    }
    countWarnings(counts, outcome.warnings ?? [], { file, line });
    if (hadControls) countWarnings(counts, [HAD_CONTROLS], { file, line });
    counts[outcome.kind === "skipped" ? "skipped" : "unchanged"] += 1;
    if (outcome.kind === "record") addRecord(sorted, outcome, job, source);
    else if (outcome.kind === "change") kindOf(sorted, outcome.record).changes.push(outcome.change);
    else if (outcome.kind === "removal") addEvent(kindOf(sorted, outcome.record), outcome.event, outcome.id);
  }
  counts.refused = refused.length;
  return sorted;
}

type UnreadRow = ReadRow & { reason: string };
type OriginalRow = RawRow & { hadControls?: boolean };

/** Returns the rows as plain text to map, the originals of rows whose text was changed, and the rows refused unread. */
function toPlainRows({ reader }: SourceDefinition, given: readonly ReadRow[]) {
  const rows: RawRow[] = [];
  const unread: UnreadRow[] = [];
  const originals = new Map<RawRow, OriginalRow>();
  for (const row of given) {
    if (isUnreadable(row)) {
      unread.push(row);
      continue;
    }
    const { text, hadControls, reason } = toPlainText(row.text, reader);
    const plain = text === row.text ? row : { ...row, text };
    if (plain !== row) originals.set(plain, { ...row, hadControls });
    if (reason === undefined) rows.push(plain);
    else unread.push({ ...row, reason });
  }
  return { rows, unread, originals };
}

/** A row refused unread, in the form that `mapRows` takes: other rows may need to know that its values are missing. */
function toUnreadable(row: UnreadRow): UnreadableRow {
  if (isUnreadable(row)) return row;
  return { line: row.line, bytes: Buffer.from(row.text).toString("base64"), reason: row.reason };
}

function addRecord(
  sorted: Sorted,
  { record, tells, leaves, event, data: checked }: Outcome & { kind: "record" },
  { context, lackedBy, revision, place = revision }: BatchJob,
  { completeness }: SourceDefinition,
): void {
  // The cast: the schema allows only objects.
  const data = checked as Members;
  const id = record.identify(data);
  const of = kindOf(sorted, record);
  if (event) return addEvent(of, event, id, data);
  // A row without a day gets its moment when it is merged with the stored record.
  const at = context.productionDate ?? "";
  const statement: FullStatement = tells === undefined ? { at, place, data } : { at, place, tells, data };
  if (leaves) statement.leaves = leaves;
  const row: Incoming = { id, statements: [statement], isUndated: at === "", asOf: context.asOf };
  const stored = (): StoredRecord => ({ ...record.keysOf(data), _id: id, etag: "", revision, data });
  // A later whole edition covers this record. If it is not stored, that edition lacked it, so do not create it.
  if (lackedBy && completeness?.covers(stored(), lackedBy))
    row.isApplicable = (stored) => stored !== undefined;
  // Moves the record to the end of the map, also if an earlier row is of the same record.
  of.rows.delete(id);
  of.rows.set(id, row);
}

/** Adds an event. A deletion counts for its address too, so that older events loaded later find it. */
function addEvent({ rows, addressed }: OfKind, event: RowEvent, id?: string, data?: Members): void {
  const { stamp, location } = event;
  const stated: FullStatement = { ...toStatement(stamp), ...(data ? { data } : { gone: true }) };
  const isIdentity = location.field === "_id";
  if (!isIdentity) addressed.push(event);
  const ids = new Set([id ?? location.value, ...(data || isIdentity ? [] : [location.value])]);
  for (const one of ids)
    rows.set(one, { id: one, statements: [...(rows.get(one)?.statements ?? []), stated] });
}

/** Counts warnings. `place`: their row, if they are about a single row. */
function countWarnings(counts: BatchCounts, more: readonly string[], place?: RowPlace): void {
  for (const warning of more) {
    counts.warnings[warning] = (counts.warnings[warning] ?? 0) + 1;
    if (place) (counts.warnedRows ??= {})[warning] ??= place;
  }
}

function kindOf({ kinds }: Sorted, record: RecordDefinition): OfKind {
  const of = kinds.get(record) ?? { rows: new Map(), addressed: [], changes: [] };
  kinds.set(record, of);
  return of;
}

function refusalOf(outcome: Outcome): { reason: string; field?: string } | null {
  if (outcome.kind === "refused") return outcome;
  return "data" in outcome ? outcome.record.check(outcome.data) : null;
}
