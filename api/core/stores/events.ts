/**
 * Owns the events of the streams as they are kept: which records each change of the change log has given another content, or
 * taken away. Only ids are kept; what an event says is read when it is sent.
 *
 * A timepoint is the position of a change in the log and the place of a record among those of the change, so that it rises
 * within a stream, with gaps, and is the same for every reader and every process.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { addDays, toDay } from "../dates.ts";
import type { DocumentStore } from "./mongo.ts";
import { BEGINNING, fetchLive, positionAfter, positionsBetween, toPosition } from "./positions.ts";

const COLLECTION = "events";
// Limit: records of one change. Timepoints stay whole numbers up to nine thousand million changes.
const PLACES = 1_000_000;
// Positions that are asked for at once: a change of another kind has no events of this one.
const SPAN = 1_000;
const KEPT = "kept";
const MARK = "mark/";
const GRACE_MS = 3_000;

/** The records of one kind that one change has changed. */
export interface ChangeEvents {
  /** Position of the change. */
  position: string;
  /** When it was told to be over: a moment of UTC. */
  at: string;
  ids: readonly string[];
}

/** What a stream can be asked for. */
export interface StreamBounds {
  /** The lowest timepoint behind which nothing is missing. */
  oldest: number;
  /** The timepoint of the next change. */
  next: number;
  /** The position of the last change whose events are kept. */
  reached: string;
}

/** The timepoint of a record in a change. */
export function toTimepoint(position: string, place: number): number {
  return Number(position) * PLACES + place;
}

/** The change and the place in it that a timepoint names. */
export function readTimepoint(timepoint: number): { position: string; place: number } {
  return { position: toPosition(Math.floor(timepoint / PLACES)), place: timepoint % PLACES };
}

/** Keeps the events of changes, by collection; those of a change that are kept stay as they are. */
export async function putEvents(
  documents: DocumentStore,
  events: readonly (ChangeEvents & { collection: string })[],
): Promise<void> {
  if (events.length === 0) return;
  const stored = events.map(({ collection, position, at, ids }) => {
    return { _id: `${collection}/${position}`, at, ids: ids.join("\n") };
  });
  await documents.putMissing(COLLECTION, stored);
}

/** The first change from a position on, up to another one, both included, that has events of a collection; null: none has. */
export async function fetchNextEvents(
  documents: DocumentStore,
  collection: string,
  { from, until }: { from: string; until: string },
): Promise<ChangeEvents | null> {
  if (from > until) return null;
  const end = [positionAfter(until), toPosition(Number(from) + SPAN)].sort()[0] ?? "";
  const ids = [from, ...positionsBetween(from, end)].map((position) => `${collection}/${position}`);
  // Asked by their ids: one engine reads the whole collection to find those between two.
  const found = await documents.fetchAll(COLLECTION, { _id: ids }, ["at"]);
  const [first] = found.map(({ _id }) => String(_id)).sort();
  if (first === undefined) return fetchNextEvents(documents, collection, { from: end, until });
  const stored = await documents.fetch(COLLECTION, first);
  // Taken away in between: it has become too old.
  if (!stored) return null;
  const { at, ids: lines } = stored;
  const position = first.slice(collection.length + 1);
  return { position, at: String(at), ids: String(lines).split("\n") };
}

/** What streams can be asked for now. */
export async function fetchBounds(documents: DocumentStore): Promise<StreamBounds> {
  const kept = await documents.fetch(COLLECTION, KEPT);
  const { position } = await fetchLive(documents);
  const oldest = kept ? toTimepoint(positionAfter(String(kept.position)), 0) : 0;
  return { oldest, next: toTimepoint(positionAfter(position), 0), reached: position };
}

/**
 * Takes away the events of these collections that are older than so many days. Days are counted by marks that this function
 * leaves: where it is not called for a week nothing goes before the next one.
 */
export async function trimEvents(
  documents: DocumentStore,
  collections: readonly string[],
  { days, now }: { days: number; now: Date },
): Promise<void> {
  const { position } = await fetchLive(documents);
  await documents.putMissing(COLLECTION, [{ _id: `${MARK}${toDay(now)}`, position }]);
  const oldest = `${MARK}${addDays(toDay(now), 1 - days)}`;
  const marks = await documents.listBetween(COLLECTION, { after: MARK, before: oldest }, days + 1);
  const last = marks.at(-1);
  if (!last || last.position === BEGINNING) return;
  const end = String(last.position);
  await documents.put(COLLECTION, { _id: KEPT, position: end });
  // Readers have seen by then that what is about to go is not promised any more.
  await sleep(GRACE_MS);
  for (const collection of collections)
    await documents.removeBetween(COLLECTION, {
      after: `${collection}/`,
      before: `${collection}/${positionAfter(end)}`,
    });
  await documents.removeBetween(COLLECTION, { after: MARK, before: oldest });
}
