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
import { correctNominees } from "../persons/corrections.ts";
import { findTable } from "../sources/index.ts";
import {
  planChanges,
  type ChangeEffect,
  type ChangesOrigin,
  type ChangesPlan,
  type HeldChange,
  type HeldReading,
  type Rewritten,
} from "./plan-changes.ts";
import { guardLooks, type Writing, type Written } from "./write.ts";
import type { KindOutcome, Truth } from "./write-rows.ts";

/** Applies changes of one kind of record, in order; those that are counted as nothing found everything as they say. */
export async function applyChanges(
  mongo: Truth,
  record: RecordDefinition,
  changes: readonly HeldChange[],
  writing: ChangesOrigin & Writing,
): Promise<KindOutcome> {
  // What a change came to in the look in which it first came to anything.
  const effects = new Map<number, ChangeEffect>();
  const written = new Map<string, HeldRecord>();
  const warnings: string[] = [];
  for (let look = 1; ; look += 1) {
    guardLooks(look, record);
    const reading = await fetchReading(mongo, record, changes);
    const plan = planChanges(record, changes, reading, { ...writing, findTable });
    if (look === 1) warnings.push(...plan.warnings);
    for (const [index, { place }] of changes.entries()) {
      const effect = plan.effects[index] ?? "none";
      if (effect !== "none" && !effects.has(place)) effects.set(place, effect);
    }
    const ofPlan = [...plan.there, ...plan.gone.filter(({ asRead }) => asRead)].map(({ now }) => now);
    for (const held of [...plan.ours, ...ofPlan]) written.set(held._id, held);
    if (await writePlan(mongo, record, plan, writing)) break;
  }
  const countOf = (wanted: ChangeEffect) =>
    [...effects.values()].filter((effect) => effect === wanted).length;
  const [created, removed] = [countOf("created"), countOf("removed")];
  const outcome = [...written.values()].map((held): Written => ({ held, effect: "changed" }));
  // Behind the others, some of which may have given an appointment to a nominee; the places say what came first.
  const corrected = await correctNominees(mongo, record, changes, writing);
  warnings.push(...corrected.warnings);
  return { outcome, written: effects.size - removed + corrected.written, created, removed, warnings };
}

/** Everything that the changes look at. */
async function fetchReading(
  truth: Pick<Truth, "records">,
  record: RecordDefinition,
  changes: readonly HeldChange[],
): Promise<HeldReading> {
  const values = new Map<string, Set<string>>();
  for (const [field, some] of changes.flatMap(({ looksAt }) => Object.entries(looksAt)))
    for (const value of some) values.set(field, (values.get(field) ?? new Set()).add(value));
  const records = new Map<string, HeldRecord>();
  // Limit: all appointments of the persons and companies of a batch are held in memory, some 2 kB each.
  for (const [field, wanted] of values) {
    const found = await truth.records.fetchGroups(record, { field, values: [...wanted] });
    for (const held of found.records) records.set(held._id, held);
  }
  const ids = new Set(changes.flatMap(({ identities }) => identities));
  for (const held of await truth.records.fetchHeld(record, [...ids])) records.set(held._id, held);
  return { records: [...records.values()], fields: [...values.keys()] };
}

/** Writes what was planned; false when others have written in between, so that it must be planned again. */
async function writePlan(
  { writer }: Truth,
  record: RecordDefinition,
  { there, gone }: ChangesPlan,
  { onLeave }: Writing,
): Promise<boolean> {
  const leavers = [...there, ...gone].flatMap(({ asRead }) => asRead ?? []);
  await onLeave(leavers.filter((held): held is StoredRecord => !isGone(held)));
  const insert = async (some: readonly Rewritten[]) => {
    const fresh = some.flatMap(({ asRead, now }) => (asRead ? [] : now));
    return (await writer.insertMissing(record, fresh)).size === 0;
  };
  const replace = async (some: readonly Rewritten[]) => {
    const replacements = some.flatMap(({ asRead: held, now }) => (held ? { stored: now, held } : []));
    return (await writer.replaceHeld(record, replacements)) === replacements.length;
  };
  const isInserted = await insert(there);
  // What was moved goes only when it is held under its new identity. What was not held comes last: a repeat sees by it that
  // all of its line has been done.
  return (await replace(there)) && isInserted && (await replace(gone)) && (await insert(gone));
}
