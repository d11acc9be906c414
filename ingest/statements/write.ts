/** Writes statements to MongoDB: only the records that they change are written. */
import type { MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
} from "../../api/shared/definitions/define-record.ts";
import type { BatchCounts } from "../queue/queue.ts";
import { findMergeRules } from "../sources/index.ts";
import { absorb, isRepeat, isRepeatable, type Absorbing, type Incoming } from "./absorb.ts";
import type { Lookup } from "./record-change.ts";

export interface Writing {
  /** Revision of the batch. */
  revision: number;
  /** Called before these records are replaced. */
  onReplace?: (replaced: readonly Replaced[]) => Promise<void>;
  /** True: no record of the kind was stored when the load began, so most are inserted without reading first. */
  isFirst?: boolean;
}

export interface KindWriting extends Writing {
  /** Writes statements of records that no row names, as a change of their own: they may be too many for the batch's. */
  writeApart: (incoming: readonly Incoming[]) => Promise<Written[]>;
}

/** A stored record or tombstone, and what it becomes. */
export interface Replaced {
  before: RecordOrTombstone;
  now: RecordOrTombstone;
}

export interface Written {
  stored: RecordOrTombstone;
  /** `noted`: same content, new statement; `known`: nothing to write, perhaps because an earlier run did. */
  effect: "created" | "changed" | "removed" | "noted" | "known";
}

/** The result for one kind of record; counts include what an earlier run of the batch wrote. */
export interface KindOutcome extends Pick<BatchCounts, "written" | "removed"> {
  outcome: Written[];
  /** How many of the written ones are new. */
  created: number;
  warnings: string[];
}

export type MongoRecords = Pick<MongoStore, "records" | "writer" | "documents">;

// Limit: how often it tries to write records that others write at the same time. Each attempt writes at least one.
const MOST_ATTEMPTS = 20;

/** The records of these lookups, tombstones included, each once. */
export async function fetchLookedUp(
  { records }: Pick<MongoRecords, "records">,
  record: RecordDefinition,
  lookups: readonly Lookup[],
): Promise<RecordOrTombstone[]> {
  const wanted = new Map<string, Set<string>>();
  for (const [field, some] of lookups.flatMap(({ keys }) => Object.entries(keys)))
    for (const value of some) wanted.set(field, (wanted.get(field) ?? new Set()).add(value));
  const found: RecordOrTombstone[] = [];
  for (const [field, values] of wanted)
    found.push(...(await records.fetchGroups(record, { field, values: [...values] })).records);
  const ids = new Set(lookups.flatMap(({ identities }) => identities));
  found.push(...(await records.fetchStored(record, [...ids])));
  return [...new Map(found.map((item) => [item._id, item])).values()];
}

/**
 * Writes statements of one kind of record; `incoming` has each record once. Rows that repeat what is stored, as most
 * rows of most editions do, are not in the result, and the content of their records is not read.
 */
export async function writeStatements(
  mongo: Omit<MongoRecords, "documents">,
  record: RecordDefinition,
  incoming: readonly Incoming[],
  { revision, onReplace, isFirst = false }: Writing,
): Promise<Written[]> {
  const absorbing = { record, revision, findMergeRules };
  const outcome = new Map<string, Written>();
  let open = isFirst ? incoming : await leaveOutRepeats(mongo, incoming, absorbing);
  for (let attempt = 1; open.length > 0; attempt += 1) {
    guardAttempts(attempt, record);
    const isRead = !isFirst || attempt > 1;
    const ids = open.map(({ id }) => id);
    const found = isRead ? await mongo.records.fetchStored(record, ids) : [];
    const stored = new Map(found.map((item) => [item._id, item]));
    const plan = open.map((item) => {
      const asRead = stored.get(item.id);
      return { item, asRead, now: absorb(asRead, item, absorbing) };
    });
    const rewritten = plan.flatMap(({ asRead, now }) => (now ? { asRead, now } : []));
    const refused = await writeAsRead(mongo, record, [rewritten], onReplace);
    for (const { item, asRead, now } of plan) {
      const before = outcome.get(item.id);
      // A record that an earlier attempt may have written counts as written, even if another batch has written it
      // since: a needless event is better than a missing one. An insert without reading shows whether it was done.
      const isDone = asRead?.revision === revision || asRead?.told?.some(({ place }) => place === revision);
      const isOwn = !isFirst || isDone;
      if (now) outcome.set(item.id, { stored: now, effect: effectOf(asRead, now) });
      else if (asRead)
        outcome.set(item.id, { stored: asRead, effect: (isOwn ? before?.effect : undefined) ?? "known" });
    }
    open = plan.flatMap(({ item, now }) => ((now ? refused.has(item.id) : !isRead) ? item : []));
  }
  return [...outcome.values()];
}

async function leaveOutRepeats(
  { records }: Omit<MongoRecords, "documents">,
  incoming: readonly Incoming[],
  absorbing: Absorbing,
): Promise<readonly Incoming[]> {
  const [first, ...others] = incoming;
  // If the day of the edition is always stored, a first row that is no repeat shows that none is.
  const isAskedFirst = first !== undefined && others.length > 0 && isDayKept(first);
  if (isAskedFirst && (await findRepeats(records, [first], absorbing)).size === 0) return incoming;
  const repeats = await findRepeats(records, incoming, absorbing);
  return incoming.filter((item) => !repeats.has(item));
}

async function findRepeats(
  records: Pick<MongoRecords["records"], "fetchStamps">,
  items: readonly Incoming[],
  absorbing: Absorbing,
): Promise<ReadonlySet<Incoming>> {
  const asked = new Map(items.filter(isRepeatable).map((item) => [item.id, item]));
  const found = asked.size > 0 ? await records.fetchStamps(absorbing.record, [...asked.keys()]) : [];
  const repeats = found.flatMap((stamps) => {
    const item = asked.get(stamps._id);
    // A record that an earlier run of the batch wrote is not a repeat: it may not have reached the search.
    const isEarlier = stamps.revision < absorbing.revision;
    return item && isEarlier && isRepeat(stamps, item, absorbing) ? item : [];
  });
  return new Set(repeats);
}

function isDayKept({ statements: [first] }: Incoming): boolean {
  return findMergeRules(first?.tells ?? "")?.keepsDay === true;
}

export interface Rewritten {
  asRead?: RecordOrTombstone | undefined;
  now: RecordOrTombstone;
}

/**
 * Replaces records unchanged since they were read and inserts new ones, one part after the other. Returns the
 * ids of the first part that may be incomplete, because others wrote meanwhile.
 */
export async function writeAsRead(
  { writer }: Pick<MongoRecords, "writer">,
  record: RecordDefinition,
  parts: readonly (readonly Rewritten[])[],
  onReplace: Writing["onReplace"],
): Promise<ReadonlySet<string>> {
  await onReplace?.(parts.flat().flatMap(({ asRead: before, now }) => (before ? { before, now } : [])));
  for (const part of parts) {
    const replacements = part.flatMap(({ asRead: before, now }) => (before ? { before, now } : []));
    const fresh = part.flatMap(({ asRead, now }) => (asRead ? [] : now));
    const areReplaced = (await writer.replaceUnchanged(record, replacements)) === replacements.length;
    const refused = areReplaced && (await writer.insertMissing(record, fresh));
    if (!refused) return new Set(part.map(({ now }) => now._id));
    if (refused.size > 0) return refused;
  }
  return new Set();
}

export function effectOf(before: RecordOrTombstone | undefined, after: RecordOrTombstone): Written["effect"] {
  if (isTombstone(after)) return !before || isTombstone(before) ? "noted" : "removed";
  if (!before || isTombstone(before)) return "created";
  return before.etag === after.etag ? "noted" : "changed";
}

/** Throws after too many attempts: something keeps writing these records. */
export function guardAttempts(attempt: number, { collection }: RecordDefinition): void {
  if (attempt > MOST_ATTEMPTS)
    throw new Error(`records of ${collection} are constantly written by other processes`);
}

/** True when any run of this batch changed the content or, with `doesNoteCount`, only the statements. */
export function isWritten({ effect, stored }: Written, revision: number, doesNoteCount = false): boolean {
  if (isTombstone(stored)) return false;
  if (effect === "known")
    return stored.revision === revision || stored.told?.some(({ place }) => place === revision) === true;
  return effect !== "noted" || doesNoteCount;
}
