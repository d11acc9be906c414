/**
 * Owns the application of changes to what is held: all that they look at is read, they are followed in memory, and
 * what came of it is written as long as nobody else has written in between; otherwise all of it is looked at again.
 *
 * Run again it does no harm: records remember up to which place they have been told, identities that were taken away
 * stay as gone records, and of a move the new record is written before the former one goes.
 *
 * Limit: a stream that tells the former identity of a record while an update moves it is not undone by the move;
 * both are held until the stream's next event of that address.
 */
import { isGone } from "../../api/core/gone.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { HeldChange, HeldKey } from "./held-changes.ts";
import type { HeldReading } from "./held-state.ts";
import { correctNominees } from "../persons/corrections.ts";
import { planChanges, type ChangeEffect, type ChangesOrigin, type ChangesPlan } from "./plan-changes.ts";
import { findTable } from "../sources/index.ts";
import { guardLooks, type Writing, type Written } from "./write.ts";
import type { KindOutcome, Truth } from "./write-rows.ts";

/** Where changes come from, and who is told before they replace a record. */
type ChangesWriting = ChangesOrigin & Writing;

/** Applies changes of one kind of record, in order; those that are counted as nothing found everything as they say. */
export async function applyChanges(
  mongo: Truth,
  record: RecordDefinition,
  changes: readonly HeldChange[],
  { onLeave, ...origin }: ChangesWriting,
): Promise<KindOutcome> {
  const effects = new Map<number, ChangeEffect>();
  const written = new Map<string, HeldRecord>();
  let warnings: string[] = [];
  for (let look = 1; ; look += 1) {
    guardLooks(look, record);
    const reading = await fetchReading(mongo, record, changes);
    const plan = planChanges(record, changes, reading, { ...origin, findTable });
    if (look === 1) warnings = plan.warnings;
    noteEffects(effects, changes, plan);
    for (const item of [...plan.ours, ...plan.creations]) written.set(item._id, item);
    for (const { stored } of [...plan.replacements, ...plan.removals]) written.set(stored._id, stored);
    if (await writePlan(mongo, record, plan, onLeave)) break;
  }
  const countOf = (wanted: ChangeEffect) =>
    [...effects.values()].filter((effect) => effect === wanted).length;
  const [created, removed] = [countOf("created"), countOf("removed")];
  const outcome = [...written.values()].map((held): Written => ({ held, effect: "changed" }));
  // Behind the others, some of which may have given an appointment to a nominee; the places say what came first.
  const corrected = await correctNominees(mongo, record, changes, { ...origin, onLeave });
  warnings.push(...corrected.warnings);
  return { outcome, written: effects.size - removed + corrected.written, created, removed, warnings };
}

/** What a change came to in the look in which it first came to anything. */
function noteEffects(
  noted: Map<number, ChangeEffect>,
  changes: readonly HeldChange[],
  { effects }: ChangesPlan,
): void {
  for (const [index, effect] of effects.entries()) {
    const place = changes[index]?.place ?? 0;
    if (effect !== "none" && !noted.has(place)) noted.set(place, effect);
  }
}

/** Everything that the changes look at. */
export async function fetchReading(
  truth: Pick<Truth, "records">,
  record: RecordDefinition,
  changes: readonly HeldChange[],
): Promise<HeldReading> {
  const values = valuesByField(changes.flatMap(({ looksAt }) => looksAt));
  const ids = new Set(changes.flatMap(({ identities }) => identities));
  const records = new Map<string, HeldRecord>();
  // Limit: all appointments of the persons and companies of a batch are held in memory, some 2 kB each.
  for (const [field, wanted] of values) {
    const found = await truth.records.fetchGroups(record, { field, values: [...wanted] });
    for (const held of found.records) records.set(held._id, held);
  }
  for (const held of await truth.records.fetchHeld(record, [...ids])) records.set(held._id, held);
  return { records: [...records.values()], fields: [...values.keys()] };
}

function valuesByField(keys: readonly HeldKey[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const { field, value } of keys) values.set(field, (values.get(field) ?? new Set()).add(value));
  return values;
}

/** Writes what was planned; false when others have written in between, so that it must be planned again. */
async function writePlan(
  { writer }: Truth,
  record: RecordDefinition,
  { creations, replacements, removals, foreseen }: ChangesPlan,
  onLeave: Writing["onLeave"],
): Promise<boolean> {
  const leavers = [...replacements, ...removals].map(({ held }) => held);
  await onLeave(leavers.filter((held): held is StoredRecord => !isGone(held)));
  const existing = await writer.insertMissing(record, creations);
  const replaced = await writer.replaceHeld(record, replacements);
  // What was moved goes only when it is held under its new identity.
  if (existing.size > 0 || replaced < replacements.length) return false;
  if ((await writer.replaceHeld(record, removals)) < removals.length) return false;
  // Last: a repeat sees by them that all of its line has been done.
  return (await writer.insertMissing(record, foreseen)).size === 0;
}
