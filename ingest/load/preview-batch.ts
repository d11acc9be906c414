/**
 * Owns what a batch would do: it is taken the way that the load itself takes, over a truth that is never written, so
 * that deletions, newer events and updates count as they do there.
 */
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { applyChanges } from "../apply-changes.ts";
import { applyEvents, type PendingEvent } from "../apply-events.ts";
import type { DeadLetter } from "../dead-letters.ts";
import type { HeldChange } from "../held-changes.ts";
import { countRead, idsOf, sortRows, type Sorted } from "../pipeline.ts";
import type { BatchJob } from "../queue.ts";
import { findSource } from "../sources/index.ts";
import type { Incoming } from "../statements/absorb.ts";
import { writeRows } from "../write-rows.ts";
import type { DryRecord } from "./dry-records.ts";
import type { DryTruth } from "./dry-truth.ts";
import type { Said } from "./told-before.ts";

/** What would become of a batch's rows. */
export interface Preview {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  /** Records that a stream or a daily update has removed. */
  removed: number;
  refused: number;
  skipped: number;
  warnings: Record<string, number>;
  letters: DeadLetter[];
  /** Identities of the records that rows named, by collection. */
  named: Record<string, string[]>;
  /** Rows of which not all could be looked at that earlier ones would have written. */
  guessed: number;
  /** Records that it would have written and that are not known from now on. */
  forgotten: DryRecord[];
}

type Sum = Pick<Preview, "created" | "changed" | "removed" | "guessed" | "warnings">;

/** Where the rows of one kind of record are looked at. */
interface Look {
  truth: DryTruth;
  record: RecordDefinition;
  job: BatchJob;
  sum: Sum;
}

// Nobody has to be told: there are no search documents to follow.
const onLeave = () => Promise.resolve();

/** Previews a batch; `truth` follows what it would write. */
export async function previewBatch(truth: DryTruth, job: BatchJob): Promise<Preview> {
  const source = findSource(job.source);
  const sorted = sortRows(source, job);
  const sum: Sum = { created: 0, changed: 0, removed: 0, guessed: 0, warnings: { ...sorted.warnings } };
  truth.begin();
  for (const [record, rows] of sorted.records)
    await lookAtRows({ truth, record, job, sum }, [...rows.values()]);
  for (const [record, events] of sorted.events)
    await lookAtEvents({ truth, record, job, sum }, [...events.values()]);
  for (const [record, changes] of sorted.changes) {
    await lookAtChanges({ truth, record, job, sum }, changes);
  }
  return {
    ...sum,
    read: countRead(job),
    unchanged: sorted.mapped - sum.created - sum.changed - sum.removed,
    refused: sorted.letters.length,
    skipped: sorted.skipped,
    letters: sorted.letters,
    named: idsOf({ ...sorted, events: new Map(), changes: new Map() }),
    forgotten: truth.end(saidIn(sorted)),
  };
}

async function lookAtRows(look: Look, rows: Incoming[]): Promise<void> {
  const { truth, record, job, sum } = look;
  const open = rows.filter((row) => !isGuessed(look, saidByRow(row)));
  const { written: count } = await writeRows(truth, record, open, { revision: job.revision, onLeave });
  addWritten(sum, count, truth.countCreated(record));
}

async function lookAtEvents(look: Look, events: PendingEvent[]): Promise<void> {
  const { truth, record, job, sum } = look;
  if (!truth.isWhole) sum.guessed += events.filter(({ data }) => !data).length;
  const open = events.filter((event) => !event.data || !isGuessed(look, saidByEvent(event)));
  const counts = await applyEvents(truth, record, open, { revision: job.revision, onLeave });
  addWritten(sum, counts.written, Math.min(counts.written, truth.countCreated(record)));
  sum.removed += counts.removed;
}

async function lookAtChanges({ truth, record, job, sum }: Look, changes: HeldChange[]): Promise<void> {
  if (!truth.isWhole) sum.guessed += changes.length;
  const { revision, context } = job;
  const origin = { revision, productionDate: context.productionDate ?? "" };
  const counts = await applyChanges(truth, record, changes, { ...origin, onLeave });
  addWritten(sum, counts.written, Math.min(counts.written, truth.countCreated(record)));
  sum.removed += counts.removed;
  for (const warning of counts.warnings ?? []) sum.warnings[warning] = (sum.warnings[warning] ?? 0) + 1;
}

/** True for a row whose record is not known any more: it counts by what was said. */
function isGuessed({ truth, record, sum }: Look, said: Said): boolean {
  const effect = truth.guess(record, said);
  if (effect === undefined) return false;
  sum.guessed += 1;
  if (effect === "changed") sum.changed += 1;
  return true;
}

function addWritten(sum: Sum, written: number, created: number): void {
  sum.created += created;
  sum.changed += written - created;
}

function* saidIn({ records, events }: Sorted): Generator<[RecordDefinition, Said]> {
  for (const [record, rows] of records) for (const row of rows.values()) yield [record, saidByRow(row)];
  for (const [record, ofKind] of events)
    for (const event of ofKind.values()) if (event.data) yield [record, saidByEvent(event)];
}

function saidByRow({ id, statements }: Incoming): Said {
  return { id, data: statements.at(-1)?.data };
}

function saidByEvent({ id = "", data, stamp: { timepoint } }: PendingEvent): Said {
  return { id, data, timepoint };
}
