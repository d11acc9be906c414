/** Takes statements back: a record becomes what its other statements make of it, and is missing without any. */
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import { findTable } from "../sources/index.ts";
import { build, toldOf, type Absorbing } from "./absorb.ts";
import type { Told } from "./statement.ts";
import { effectOf, guardLooks, writeAsRead, type Truth, type Writing, type Written } from "./write.ts";

/** True for the places of the statements to take back. */
export type IsTaken = (place: number) => boolean;

/** Those statements of a record, of which `revision` and `told` are enough. */
export function takenOf(held: HeldRecord, isTaken: IsTaken): Told[] {
  // A record of a former release does not show which load stated it.
  return held.told ? toldOf(held).filter(({ place }) => place !== undefined && isTaken(place)) : [];
}

/** The record without these statements; null when it has none of them. */
export function withoutTaken(
  held: HeldRecord,
  isTaken: IsTaken,
  absorbing: Absorbing,
): (Written & { asRead: HeldRecord; now: HeldRecord }) | null {
  const taken = takenOf(held, isTaken);
  if (taken.length === 0) return null;
  const statements = toldOf(held).filter(({ place }) => place === undefined || !isTaken(place));
  const now = build(held, { id: held._id, statements, update: held.update }, absorbing);
  return { asRead: held, now, held: now, effect: effectOf(held, now) };
}

/** Rewrites these records without the statements; doing it again changes nothing. */
export async function takeBack(
  truth: Truth,
  record: RecordDefinition,
  { ids, isTaken }: { ids: readonly string[]; isTaken: IsTaken },
  { revision, onLeave }: Writing,
): Promise<Written[]> {
  const written = new Map<string, Written>();
  let open = ids;
  for (let look = 1; open.length > 0; look += 1) {
    guardLooks(look, record);
    const held = await truth.records.fetchHeld(record, open);
    const rewritten = held.flatMap(
      (item) => withoutTaken(item, isTaken, { record, revision, findTable }) ?? [],
    );
    const refused = await writeAsRead(truth, record, [rewritten], onLeave);
    for (const item of rewritten) written.set(item.now._id, item);
    open = [...refused];
  }
  return [...written.values()];
}
