/**
 * Stores the events of the streams: for each change of the change log, the ids of the records that it wrote or
 * removed. The content of an event is read when it is sent.
 *
 * A timepoint combines the position of a change in the log and the place of a record in the change. It increases
 * within a stream, with gaps, and is the same for every reader and process. The first timepoint of a database follows
 * the clock. If a register is built again, positions begin again, but timepoints are above those of the earlier
 * database. So a request for an earlier timepoint gets 416, and no follower mistakes a new event for an old one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { addDays, toDay } from "../../values/dates.ts";
import type { ResourceAddress } from "../../definitions/incoming-resource.ts";
import type { DocumentStore } from "../mongodb/mongo.ts";
import { fetchLive, positionAfter, positionsBetween, toPosition } from "./positions.ts";

const COLLECTION = "events";
// Limit: records of one change.
const PLACES = 1_000_000;
// Limit: average changes a second in the life of a database; above it, the timepoints of its successor may overlap.
// Timepoints stay exact integers until 2054, or less long with many changes.
const CHANGES_A_SECOND = 10;
const FIRST_MOMENT = Date.UTC(2026, 0, 1);
// Positions per lookup. Only some have an event of the collection.
const SPAN = 1_000;
// Empty spans to look up before one range query: a restored database has millions of empty positions.
const MOST_SPANS = 50;
const BOUNDS = "bounds";
const MARK = "mark/";
const GRACE_MS = 3_000;

/** The records of one kind that one change has changed. */
export interface ChangeEvents {
  /** Position of the change. */
  position: string;
  /** When the event was stored, in UTC. */
  at: string;
  ids: readonly string[];
  /** Addresses that records have left by the change, except those that a record has again. */
  left: readonly ResourceAddress[];
}

/** The timepoints that streams can be read from. */
export interface StreamBounds {
  /** The timepoint of the beginning of the log. */
  origin: number;
  /** By collection: the lowest timepoint from which no event has been deleted; absent: none was ever deleted. */
  oldest: Partial<Record<string, number>>;
  /** No event is stored before this position. */
  first: string;
  /** The timepoint of the next change. */
  next: number;
  /** The position of the last change whose events are stored. */
  reached: string;
}

/** The timepoint of a record in a change. */
export function toTimepoint(origin: number, position: string, place: number): number {
  return origin + Number(position) * PLACES + place;
}

/** The position and place of a timepoint. */
export function readTimepoint(origin: number, timepoint: number): { position: string; place: number } {
  const number = timepoint - origin;
  return { position: toPosition(Math.floor(number / PLACES)), place: number % PLACES };
}

/** Stores the events of changes; existing ones stay as they are. */
export async function putEvents(
  documents: DocumentStore,
  events: readonly (ChangeEvents & { collection: string })[],
): Promise<void> {
  if (events.length === 0) return;
  const stored = events.map(({ collection, position, at, ids, left }) => {
    const addresses = left.length > 0 && { left: JSON.stringify(left) };
    return { _id: `${collection}/${position}`, at, ids: ids.join("\n"), ...addresses };
  });
  await documents.putMissing(COLLECTION, stored);
}

/** The first change from one position to another, both included, that has events of a collection; null if none. */
export async function fetchNextEvents(
  documents: DocumentStore,
  collection: string,
  { from, until, spans = 1 }: { from: string; until: string; spans?: number },
): Promise<ChangeEvents | null> {
  if (from > until) return null;
  const end = toPosition(Math.min(Number(until) + 1, Number(from) + SPAN));
  const ids = [from, ...positionsBetween(from, end)].map((position) => `${collection}/${position}`);
  // Queried by ids first, because one engine reads the whole collection for a range.
  const found = await documents.fetchAll(COLLECTION, { _id: ids }, ["at"]);
  if (found.length === 0) {
    if (spans < MOST_SPANS)
      return fetchNextEvents(documents, collection, { from: end, until, spans: spans + 1 });
    const before = `${collection}/${positionAfter(until)}`;
    const range = { after: ids.at(-1) ?? "", before, members: ["at"] };
    found.push(...(await documents.listBetween(COLLECTION, range, 1)));
  }
  const [first] = found.map(({ _id }) => String(_id)).sort();
  if (first === undefined) return null;
  const stored = await documents.fetch(COLLECTION, first);
  const position = first.slice(collection.length + 1);
  // Deleted meanwhile, because it became too old.
  if (!stored) return fetchNextEvents(documents, collection, { from: positionAfter(position), until });
  return { position, at: String(stored.at), ...readPlaces(stored) };
}

function readPlaces({ ids = "", left = "[]" }: Record<string, unknown>): Pick<ChangeEvents, "ids" | "left"> {
  const named = String(ids) === "" ? [] : String(ids).split("\n");
  return { ids: named, left: JSON.parse(String(left)) as ResourceAddress[] };
}

export async function fetchBounds(documents: DocumentStore): Promise<StreamBounds> {
  const { origin, deleted, end } = await fetchStored(documents);
  const { position } = await fetchLive(documents);
  const oldest = Object.entries(deleted).map(([collection, last]) => [
    collection,
    typeof last === "number" ? last : toTimepoint(origin, positionAfter(last), 0),
  ]);
  return {
    origin,
    oldest: Object.fromEntries(oldest) as StreamBounds["oldest"],
    first: positionAfter(end),
    next: toTimepoint(origin, positionAfter(position), 0),
    reached: position,
  };
}

interface StoredBounds {
  origin: number;
  /**
   * By collection: the timepoint after the last deleted event, from which a reader continues that has read all deleted
   * events. A collection of which none was deleted has no entry. Former releases stored the position of the change.
   * Limit: if the last record of that change had no event to show, such a reader gets 416.
   */
  deleted: Record<string, number | string>;
  /** All events up to this position are deleted. */
  end: string;
}

/** Sets a new database's first timepoint by the clock. Call it before the first change, or timepoints run ahead. */
export async function beginEvents(documents: DocumentStore): Promise<void> {
  await fetchStored(documents);
}

/** Stores the bounds at the first read. No event exists before that, not even in a restored database. */
async function fetchStored(documents: DocumentStore): Promise<StoredBounds> {
  const stored = await documents.fetch(COLLECTION, BOUNDS);
  if (stored) return stored as unknown as StoredBounds;
  const changes = Math.floor(((Date.now() - FIRST_MOMENT) / 1_000) * CHANGES_A_SECOND);
  const { position: end } = await fetchLive(documents);
  const bounds: StoredBounds = { origin: Math.max(0, changes) * PLACES, deleted: {}, end };
  await documents.putMissing(COLLECTION, [{ _id: BOUNDS, ...bounds }]);
  return fetchStored(documents);
}

/**
 * Deletes events older than `days`. Each call notes the day's position; events of days without a note stay. `graceMs`:
 * pause between raising the bounds and deleting, in which readers see the new bounds.
 */
export async function trimEvents(
  documents: DocumentStore,
  collections: readonly string[],
  { days, now, graceMs = GRACE_MS }: { days: number; now: Date; graceMs?: number },
): Promise<void> {
  const today = `${MARK}${toDay(now)}`;
  if (!(await documents.fetch(COLLECTION, today))) {
    const { position } = await fetchLive(documents);
    await documents.putMissing(COLLECTION, [{ _id: today, position }]);
  }
  const oldest = `${MARK}${addDays(toDay(now), 1 - days)}`;
  const marks = await documents.listBetween(COLLECTION, { after: MARK, before: oldest }, days + 1);
  const last = marks.at(-1);
  if (!last) return;
  const end = String(last.position);
  const spans = collections.map((collection) => ({
    collection,
    after: `${collection}/`,
    before: `${collection}/${positionAfter(end)}`,
  }));
  const { origin, deleted, end: before } = await fetchStored(documents);
  // Bounds never fall. Another process, in which the next day has begun, may have raised them; it deletes the events.
  if (before > end) return;
  for (const { collection, ...span } of spans) {
    const [latest] = await documents.listLatest(COLLECTION, 1, ["ids", "left"], span);
    if (!latest) continue;
    const { ids, left } = readPlaces(latest);
    const position = String(latest._id).slice(span.after.length);
    deleted[collection] = toTimepoint(origin, position, ids.length + left.length);
  }
  if (!(await documents.amendIf(COLLECTION, { _id: BOUNDS, end: before }, { deleted, end }))) return;
  // Gives readers time to see the new bounds before any event is deleted.
  await sleep(graceMs);
  for (const span of spans) await documents.removeBetween(COLLECTION, span);
  await documents.removeBetween(COLLECTION, { after: MARK, before: oldest });
}
