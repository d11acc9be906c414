/** Owns what a batch would do: its rows mapped, checked and compared with what is held, and nothing written. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { PendingEvent } from "../apply-events.ts";
import type { DeadLetter } from "../dead-letters.ts";
import { fetchReading } from "../apply-changes.ts";
import type { HeldChange } from "../held-changes.ts";
import { countRead, isOutdone, sortRows } from "../pipeline.ts";
import { planChanges } from "../plan-changes.ts";
import type { BatchJob } from "../queue.ts";
import { findSource } from "../sources/index.ts";
import { effectOf, type PendingRecord } from "../writers/compare.ts";
import { namedIn } from "./run-batch.ts";
import type { ToldBefore } from "./told-before.ts";

/** What would become of a batch's rows. */
export interface Preview {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  /** Records that a stream has deleted and that are held. */
  removed: number;
  refused: number;
  skipped: number;
  warnings: Record<string, number>;
  letters: DeadLetter[];
  /** Identities of the records that rows named, by collection. */
  named: Record<string, string[]>;
}

type Effects = Pick<Preview, "created" | "changed" | "removed">;

/** Previews a batch; `before` is what earlier ones have told, and is told what this one does. */
export async function previewBatch(
  stores: Pick<Stores, "mongo">,
  job: BatchJob,
  before: ToldBefore,
): Promise<Preview> {
  const source = findSource(job.source);
  const sorted = sortRows(source, job);
  const effects: Effects = { created: 0, changed: 0, removed: 0 };
  const sum: Sum = { effects, job, before, warnings: { ...sorted.warnings } };
  for (const [record, pending] of sorted.records) {
    await addEffects(stores, record, [...pending.values()], sum);
  }
  for (const [record, events] of sorted.events) {
    await addEventEffects(stores, record, [...events.values()], sum);
  }
  for (const [record, changes] of sorted.changes) {
    if (!(await isOutdone(stores, source, job))) await addChangeEffects(stores, record, changes, sum);
  }
  return {
    ...effects,
    read: countRead(job),
    unchanged: sorted.mapped - effects.created - effects.changed - effects.removed,
    refused: sorted.letters.length,
    skipped: sorted.skipped,
    warnings: sum.warnings,
    letters: sorted.letters,
    named: namedIn(sorted),
  };
}

interface Sum {
  effects: Effects;
  job: BatchJob;
  before: ToldBefore;
  warnings: Record<string, number>;
}

async function addEffects(
  { mongo }: Pick<Stores, "mongo">,
  record: RecordDefinition,
  pending: PendingRecord[],
  { effects, job, before }: Sum,
): Promise<void> {
  const ids = pending.map(({ stored }) => stored._id);
  const held = new Map((await mongo.records.fetchByIds(record, ids)).map((item) => [item._id, item]));
  for (const item of pending) {
    const own = effectOf(record, item, held.get(item.stored._id), job.context.productionDate);
    const again = before.tell(record, item);
    // What is held and newer stays, whatever the rows before it said.
    const effect = own === "none" ? own : (again ?? own);
    if (effect !== "none") effects[effect] += 1;
  }
}

async function addEventEffects(
  stores: Pick<Stores, "mongo">,
  record: RecordDefinition,
  events: PendingEvent[],
  sum: Sum,
): Promise<void> {
  const changed = events.flatMap(({ pending }) => pending ?? []);
  await addEffects(stores, record, changed, sum);
  const deleted = events.filter(
    ({ pending, location: { field, value } }) =>
      pending === undefined && sum.before.remove(record, field, value),
  );
  const [first] = deleted;
  if (!first) return;
  const query = { field: first.location.field, values: deleted.map(({ location }) => location.value) };
  sum.effects.removed += (await stores.mongo.records.fetchGroups(record, query)).records.length;
}

async function addChangeEffects(
  { mongo }: Pick<Stores, "mongo">,
  record: RecordDefinition,
  changes: HeldChange[],
  { effects, job, warnings }: Sum,
): Promise<void> {
  const { revision, context } = job;
  const origin = { revision, productionDate: context.productionDate ?? "" };
  const plan = planChanges(record, changes, await fetchReading(mongo, record, changes), origin);
  for (const effect of plan.effects) if (effect !== "none") effects[effect] += 1;
  for (const warning of plan.warnings) warnings[warning] = (warnings[warning] ?? 0) + 1;
}
