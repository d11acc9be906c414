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
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import { correctNominees } from "../persons/corrections.ts";
import { findTable } from "../sources/index.ts";
import { HeldMemory, type ChangeEffect, type ChangesOrigin, type HeldChange } from "./held-memory.ts";
import {
  fetchByKeys,
  guardLooks,
  leaversOf,
  writeAsRead,
  type KindOutcome,
  type Truth,
  type Writing,
} from "./write.ts";

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
  for (let look = 1, isWritten = false; !isWritten; look += 1) {
    guardLooks(look, record);
    const memory = await fetchMemory(mongo, record, changes, writing);
    for (const change of changes) {
      const { effect, warning, ours } = memory.follow(change);
      if (warning !== undefined && look === 1) warnings.push(warning);
      if (effect !== "none" && !effects.has(change.place)) effects.set(change.place, effect);
      for (const held of ours) written.set(held._id, held);
    }
    const rewritten = memory.rewritten();
    for (const { now, asRead } of rewritten) if (asRead || !isGone(now)) written.set(now._id, now);
    // What was moved goes only when it is held under its new identity. What was not held comes last: a repeat sees by it that
    // all of its line has been done.
    const write = async (isOver: boolean) => {
      const some = rewritten.filter(({ now }) => isGone(now) === isOver);
      return (await writeAsRead(mongo, record, some)).size === 0;
    };
    await writing.onLeave(leaversOf(rewritten));
    isWritten = (await write(false)) && (await write(true));
  }
  const countOf = (wanted: ChangeEffect) =>
    [...effects.values()].filter((effect) => effect === wanted).length;
  const [created, removed] = [countOf("created"), countOf("removed")];
  // Behind the others, some of which may have given an appointment to a nominee; the places say what came first.
  const corrected = await correctNominees(mongo, record, changes, writing);
  return {
    outcome: [...written.values()].map((held) => ({ held, effect: "changed" })),
    written: effects.size - removed + corrected.written,
    ...{ created, removed, warnings: [...warnings, ...corrected.warnings] },
  };
}

/** Everything that the changes look at. */
async function fetchMemory(
  truth: Truth,
  record: RecordDefinition,
  changes: readonly HeldChange[],
  origin: ChangesOrigin,
): Promise<HeldMemory> {
  const values = new Map<string, Set<string>>();
  for (const [field, some] of changes.flatMap(({ looksAt }) => Object.entries(looksAt)))
    for (const value of some) values.set(field, (values.get(field) ?? new Set()).add(value));
  const ids = changes.flatMap(({ identities }) => identities);
  // Limit: all appointments of the persons and companies of a batch are held in memory, some 2 kB each.
  const held = await fetchByKeys(truth, record, values, ids);
  return new HeldMemory(held, [...values.keys()], { ...origin, record, findTable });
}
