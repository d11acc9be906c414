/** Owns the writing of statements to MongoDB: of each record what it then comes to, and nothing where that is as it was. */
import { isGone } from "../../api/core/gone.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { BatchCounts } from "../queue/queue.ts";
import { findTable } from "../sources/index.ts";
import { absorb, type Incoming } from "./absorb.ts";

/** What is told to a writer from outside. */
export interface Writing {
  /** Of the batch. */
  revision: number;
  /** Told, before it happens, which records will be replaced. */
  onLeave: (held: StoredRecord[]) => Promise<void>;
}

/** What became of a record. */
export interface Written {
  held: HeldRecord;
  /** `noted`: its content stayed, and it remembers the statement; `known`: nothing was to be done, perhaps since it was before. */
  effect: "created" | "changed" | "removed" | "noted" | "known";
}

/** What writing records of one kind came to: those that were written, or had been by an earlier run of the batch, and gone. */
export interface KindOutcome extends Pick<BatchCounts, "written" | "removed"> {
  outcome: Written[];
  /** Ids of others that it has changed: appointments of nominees, which may be too many to be held. */
  corrected: readonly string[];
  /** Of the written ones those of which nothing was held. */
  created: number;
  warnings: string[];
}

/** What the records are read from and written to. */
export type Truth = Pick<MongoStore, "records" | "writer" | "documents">;

// Limit: looks at records that others keep writing at the same time; each look settles at least one of them.
const MOST_LOOKS = 20;

/** Which records are looked at: by keys of fields, and by identities, which may be created or taken away. */
export interface Looks {
  looksAt: Readonly<Record<string, readonly string[]>>;
  identities: readonly string[];
}

/** The records that are looked at, there or gone, each once. */
export async function fetchLookedAt(
  { records }: Pick<Truth, "records">,
  record: RecordDefinition,
  looks: readonly Looks[],
): Promise<HeldRecord[]> {
  const keys = new Map<string, Set<string>>();
  for (const [field, some] of looks.flatMap(({ looksAt }) => Object.entries(looksAt)))
    for (const value of some) keys.set(field, (keys.get(field) ?? new Set()).add(value));
  const found: HeldRecord[] = [];
  for (const [field, values] of keys)
    found.push(...(await records.fetchGroups(record, { field, values: [...values] })).records);
  const ids = new Set(looks.flatMap(({ identities }) => identities));
  found.push(...(await records.fetchHeld(record, [...ids])));
  return [...new Map(found.map((item) => [item._id, item])).values()];
}

/** Writes what is stated of records of one kind, each record once; returns what became of each. */
export async function writeStatements(
  truth: Omit<Truth, "documents">,
  record: RecordDefinition,
  incoming: readonly Incoming[],
  { revision, onLeave }: Writing,
): Promise<Written[]> {
  const absorbing = { record, revision, findTable };
  const outcome = new Map<string, Written>();
  const isReload = reloaded.has(record.collection);
  let open = incoming;
  for (let look = 1; open.length > 0; look += 1) {
    guardLooks(look, record);
    // A first load, where nothing is there to be read, costs one round trip.
    const isRead = isReload || look > 1;
    const ids = open.map(({ id }) => id);
    const found = isRead ? await truth.records.fetchHeld(record, ids) : [];
    const held = new Map(found.map((item) => [item._id, item]));
    const plan = open.map((item) => {
      const asRead = held.get(item.id);
      return { item, asRead, now: absorb(asRead, item, absorbing) };
    });
    const rewritten = plan.flatMap(({ asRead, now }) => (now ? { asRead, now } : []));
    const refused = await writeAsRead(truth, record, [rewritten], onLeave);
    if (look === 1) noteHeld(record, ids.length, isRead ? held.size : refused.size);
    for (const { item, asRead, now } of plan) {
      const before = outcome.get(item.id);
      // What was written in an earlier look is recognised, also where another batch has written it since.
      const isSame = asRead?.revision === before?.held.revision && asRead?.etag === before?.held.etag;
      const isOwn = isSame || asRead?.told?.some(({ place }) => place === revision) === true;
      if (now) outcome.set(item.id, { held: now, effect: effectOf(asRead, now) });
      else if (asRead)
        outcome.set(item.id, { held: asRead, effect: (isOwn ? before?.effect : undefined) ?? "known" });
    }
    open = plan.flatMap(({ item, now }) => ((now ? refused.has(item.id) : !isRead) ? item : []));
  }
  return [...outcome.values()];
}

/** A record as it was read, there or gone, and as it is to be written. */
export interface Rewritten {
  asRead?: HeldRecord | undefined;
  now: HeldRecord;
}

/**
 * Replaces records only while they are still as they were read, then inserts those of which none was, one part after the other
 * has been written; returns the ids of the part in which some have not been written for sure, since others wrote in between.
 */
export async function writeAsRead(
  { writer }: Pick<Truth, "writer">,
  record: RecordDefinition,
  parts: readonly (readonly Rewritten[])[],
  onLeave: Writing["onLeave"],
): Promise<ReadonlySet<string>> {
  await onLeave(parts.flat().flatMap(({ asRead }) => (asRead && !isGone(asRead) ? asRead : [])));
  for (const part of parts) {
    const replacements = part.flatMap(({ asRead: held, now }) => (held ? { stored: now, held } : []));
    const fresh = part.flatMap(({ asRead, now }) => (asRead ? [] : now));
    const areReplaced = (await writer.replaceHeld(record, replacements)) === replacements.length;
    const refused = areReplaced && (await writer.insertMissing(record, fresh));
    if (!refused) return new Set(part.map(({ now }) => now._id));
    if (refused.size > 0) return refused;
  }
  return new Set();
}

// Kinds of which the last batch found records there: those of the next one are read before anything is inserted. A hint only.
const reloaded = new Set<string>();
// A batch of fewer says little of the next one.
const TELLING_COUNT = 50;

function noteHeld({ collection }: RecordDefinition, count: number, held: number): void {
  if (count < TELLING_COUNT) return;
  if (held * 4 > count) reloaded.add(collection);
  else reloaded.delete(collection);
}

/** What became of a record, by what was held and what is. */
export function effectOf(before: HeldRecord | undefined, after: HeldRecord): Written["effect"] {
  if (isGone(after)) return !before || isGone(before) ? "noted" : "removed";
  if (!before || isGone(before)) return "created";
  return before.etag === after.etag ? "noted" : "changed";
}

/** Throws when records have been looked at too often: something keeps writing them. */
export function guardLooks(look: number, { collection }: RecordDefinition): void {
  if (look > MOST_LOOKS) throw new Error(`records of ${collection} are written by others without end`);
}

/** True for a record that got another content by this batch, in whichever run; or that only remembers it, where that counts. */
export function isWritten({ effect, held }: Written, revision: number, doesNoteCount = false): boolean {
  if (isGone(held)) return false;
  if (effect === "known")
    return held.revision === revision || held.told?.some(({ place }) => place === revision) === true;
  return effect !== "noted" || doesNoteCount;
}
