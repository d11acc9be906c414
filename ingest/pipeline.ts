/** Owns the way of a batch: rows are mapped and checked, records written to MongoDB, and the change is entered in the log. */
import type { Members } from "../api/core/members.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { RecordDefinition } from "../api/resources/define-record.ts";
import { keepRefused, type DeadLetter } from "./dead-letters/dead-letters.ts";
import { fetchPrints } from "./history/fingerprints.ts";
import { BatchChange } from "./log/batch-change.ts";
import type { Ids } from "./log/changes.ts";
import { tellCorrections } from "./persons/corrections.ts";
import { learnRealIds } from "./persons/ids.ts";
import type { BatchCounts, BatchJob } from "./queue/queue.ts";
import type { Outcome, SourceDefinition } from "./sources/define-source.ts";
import { findTable } from "./sources/index.ts";
import type { Incoming } from "./statements/absorb.ts";
import { applyChanges } from "./statements/apply-changes.ts";
import { applyEvents, idsOfEvent, type PendingEvent } from "./statements/apply-events.ts";
import { KnownRows } from "./statements/fingerprint.ts";
import type { HeldChange } from "./statements/held-memory.ts";
import { toStored } from "./statements/stored.ts";
import {
  isWritten,
  writeStatements,
  type KindOutcome,
  type Truth,
  type Writing,
} from "./statements/write.ts";

/** Rows of one kind of record, sorted by what is to be done with them. */
export interface OfKind {
  /** Records by id: of rows that name the same record the last one wins. */
  rows: Map<string, Incoming>;
  /** Events by address and identity: of those that name the same the highest timepoint wins. */
  events: Map<string, PendingEvent>;
  /** Changes of what is held, in the order in which they apply. */
  changes: HeldChange[];
}

/** Rows of a batch. */
export interface Sorted {
  kinds: Map<RecordDefinition, OfKind>;
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
): Promise<BatchCounts> {
  const { load, revision, apart, pieces, prints, first } = job;
  const { documents } = stores.mongo;
  const sorted = sortRows(source, job);
  const { letters, skipped, warnings } = sorted;
  const ids = idsOf(sorted);
  const done = await BatchChange.make(
    stores,
    { load, job: jobId, revision, ids, ...(first && { first }) },
    async (change) => {
      const known = prints && new KnownRows(findTable, await fetchPrints(documents, prints.of, ids));
      const sum = { written: 0, removed: 0 };
      await writeKinds(stores.mongo, known?.leaveOut(sorted) ?? sorted, job, async (record, told, write) => {
        await learnRealIds(documents, record, told, (officers) => change.leaveDocuments({ officers }));
        const outcome = await write({ revision, onLeave: (held) => change.leave(record, held) });
        await change.index(record, outcome.outcome, apart && { apart, pieces });
        known?.note(outcome.outcome);
        sum.written += outcome.written;
        sum.removed += outcome.removed;
        countWarnings(sorted, outcome.warnings ?? []);
      });
      if (letters.length > 0) await keepRefused(documents, source.groupKey, job, letters);
      const unchanged = sorted.mapped - sum.written - sum.removed;
      const counts = { read: countRead(job), ...sum, unchanged, refused: letters.length, skipped, warnings };
      return { counts, ...(known && { prints: known.listPrints(ids) }) };
    },
  );
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
  { kinds }: Pick<Sorted, "kinds">,
  { context, apart }: BatchJob,
  writeKind: WriteKind,
): Promise<void> {
  // A source of changes tells its day: it is part of its header.
  const productionDate = context.productionDate ?? "";
  for (const [record, of] of kinds) {
    const [rows, events] = [[...of.rows.values()], [...of.events.values()]];
    if (rows.length > 0)
      await writeKind(
        record,
        rows.flatMap(({ statements }) => statements.flatMap(dataOf)),
        (writing) => writeRows(mongo, record, rows, writing, apart !== undefined),
      );
    if (events.length > 0)
      await writeKind(record, events.flatMap(dataOf), (writing) =>
        applyEvents(mongo, record, events, writing),
      );
    if (of.changes.length > 0)
      await writeKind(record, [], (writing) =>
        applyChanges(mongo, record, of.changes, { ...writing, productionDate }),
      );
  }
}

function dataOf({ data }: { data?: Members }): Members[] {
  return data ? [data] : [];
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
export function idsOf({ kinds }: Pick<Sorted, "kinds">): Ids {
  const idsOfKind = ({ rows, events, changes }: OfKind) => [
    ...rows.keys(),
    ...[...events.values()].flatMap(idsOfEvent),
    ...changes.flatMap(({ identities }) => identities),
  ];
  return Object.fromEntries(
    Array.from(kinds, ([{ collection }, of]) => [collection, [...new Set(idsOfKind(of))]]),
  );
}

/** Lines of a batch, blank ones included. */
export function countRead({ rows, unreadable, blank = 0 }: BatchJob): number {
  return rows.filter(({ isContext }) => !isContext).length + unreadable.length + blank;
}

/** Maps and checks the rows of a batch. Pure. */
export function sortRows(source: SourceDefinition, job: BatchJob): Sorted {
  const { load, file, source: name, rows, unreadable, context, blank = 0 } = job;
  const from = { load, file, source: name };
  const letters = unreadable.map((row): DeadLetter => ({ ...from, ...row }));
  const sorted: Sorted = { kinds: new Map(), mapped: 0, letters, skipped: blank, warnings: {} };
  const isLacked = lackOf(source, job);
  for (const outcome of source.mapRows(rows, context, unreadable)) {
    const { isContext, line, text } = outcome.row;
    if (isContext) continue;
    const refusal = refusalOf(outcome);
    if (refusal) {
      const { reason, field } = refusal;
      letters.push({ ...from, line, reason, text, ...(field && { field }) });
      continue;
    }
    countWarnings(sorted, outcome.warnings ?? []);
    if (outcome.kind === "skipped") sorted.skipped += 1;
    else sorted.mapped += 1;
    if (outcome.kind === "record") addRecord(sorted, outcome, job, isLacked);
    else if (outcome.kind === "change") kindOf(sorted, outcome.record).changes.push(outcome.change);
    else if (outcome.kind === "removal")
      addEvent(sorted, outcome.record, { ...outcome.event, id: outcome.id });
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
  { record, tells, event, data: checked }: Outcome & { kind: "record" },
  { context, revision, place = revision }: BatchJob,
  isLacked?: Lack,
): void {
  // The cast: it has obeyed a schema of objects.
  const data = checked as Members;
  const id = record.identify(data);
  if (event) return addEvent(sorted, record, { ...event, id, data });
  // A row without a day is placed when it is seen what is held.
  const at = context.productionDate ?? "";
  const stamp = { at, place, ...(tells !== undefined && { tells }) };
  const row: Incoming = { id, statements: [{ ...stamp, data }], isUndated: at === "" };
  // Nobody holds it, although that edition has been loaded: it is gone.
  if (isLacked?.(record, data)) row.isMeant = (held) => held !== undefined;
  kindOf(sorted, record).rows.set(id, row);
}

function addEvent(sorted: Sorted, record: RecordDefinition, event: PendingEvent): void {
  const { stamp, data, id = "" } = event;
  // An older event counts where it tells another identity: what is held under that one must go.
  const key = [stamp.uri, data ? "changed" : "deleted", id].join("\t");
  const { events } = kindOf(sorted, record);
  // Of equal ones the first stays, as it does when the second comes in a later batch.
  if (stamp.timepoint > (events.get(key)?.stamp.timepoint ?? -1)) events.set(key, event);
}

export function countWarnings({ warnings }: Pick<Sorted, "warnings">, more: readonly string[]): void {
  for (const warning of more) warnings[warning] = (warnings[warning] ?? 0) + 1;
}

function kindOf({ kinds }: Sorted, record: RecordDefinition): OfKind {
  const of = kinds.get(record) ?? { rows: new Map(), events: new Map(), changes: [] };
  kinds.set(record, of);
  return of;
}

function refusalOf(outcome: Outcome): { reason: string; field?: string } | null {
  if (outcome.kind === "refused") return outcome;
  if (outcome.kind === "record") return outcome.record.check(outcome.data);
  return outcome.kind === "change" && outcome.data !== undefined ? outcome.record.check(outcome.data) : null;
}
