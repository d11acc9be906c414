/**
 * Makes pages of a few hundred events, shared by all readers at the same place of a stream. Each reader has only one
 * page in memory, however far it is behind.
 */
import { LRUCache } from "lru-cache";
import { toDay } from "../shared/values/dates.ts";
import {
  fetchNextEvents,
  readTimepoint,
  toTimepoint,
  type ChangeEvents,
  type StreamBounds,
} from "../shared/stores/collections/events.ts";
import type { Stores } from "../shared/stores/index.ts";
import { positionAfter } from "../shared/stores/collections/positions.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type StoredRecord,
} from "../shared/definitions/define-record.ts";
import type { ResourceAddress } from "../shared/definitions/incoming-resource.ts";
import type { StreamDefinition } from "./streams.ts";

// Tuned: a page of companies, the largest, has some 300 kB. Besides, each page costs a reader the time of 100 kB.
const EVENTS_A_PAGE = 250;
// Readers share a page for this long. A page may lack later changes: each of these has an event of its own.
const SHARED_MS = 10_000;
const SHARED_BYTES = 16_000_000;

interface NextPage {
  /** Events, one per line; empty if there is none to send before `next`. */
  bytes: Buffer;
  /** The timepoint after them. */
  next: number;
}

type Bounds = Pick<StreamBounds, "origin" | "first" | "reached">;

/** Fetches the next events from a timepoint on, up to the position `bounds.reached`. */
export type FetchNextPage = (stream: StreamDefinition, from: number, bounds: Bounds) => Promise<NextPage>;

/** What a page is made from. */
interface Asked {
  stream: StreamDefinition;
  from: number;
  bounds: Bounds;
}

/** Opens the pages. Only one is made at a time, so that any number of readers leaves room for loads and lookups. */
export function openPages({ mongo }: Pick<Stores, "mongo">, clock: () => Date): FetchNextPage {
  // A page that is evicted while it is made must still reach the readers that wait for it, or they would miss events.
  const shared = { ttl: SHARED_MS, maxSize: SHARED_BYTES, ignoreFetchAbort: true };
  const inTurn = openTurns();
  const changes = new LRUCache<string, { change: ChangeEvents | null }, Asked>({
    ...shared,
    sizeCalculation: (found) => JSON.stringify(found).length,
    fetchMethod: async (_key, _stale, { context: { stream, from, bounds } }) => {
      const [, start = ""] = [readTimepoint(bounds.origin, from).position, bounds.first].sort();
      const { collection } = stream.record;
      const until = bounds.reached;
      // Wrapped in an object even without a change: the cache rejects undefined for an entry evicted while it is made.
      return {
        change: await inTurn(() => fetchNextEvents(mongo.documents, collection, { from: start, until })),
      };
    },
  });
  const pages = new LRUCache<string, NextPage, Asked & { change: ChangeEvents }>({
    ...shared,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
    fetchMethod: (_key, _stale, { context }) => inTurn(() => makePage(mongo, context, toDay(clock()))),
  });
  return async (stream, from, bounds) => {
    const { origin, reached } = bounds;
    const context = { stream, from, bounds };
    const { position } = readTimepoint(origin, from);
    // The end of the range is part of the key: up to a later end there may be a change where there was none.
    const found = await changes.fetch([stream.name, origin, position, reached].join("/"), { context });
    const change = found?.change;
    const nothing = { bytes: Buffer.alloc(0), next: toTimepoint(origin, positionAfter(reached), 0) };
    if (!change) return nothing;
    const start = Math.max(from, toTimepoint(origin, change.position, 0));
    const asked = { ...context, from: start, change };
    return (await pages.fetch(`${stream.name}/${start}`, { context: asked })) ?? nothing;
  };
}

function openTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Makes a page. Pages end at the same places for all readers, so that they can be shared. */
async function makePage(
  { records }: Stores["mongo"],
  { change, stream, from, bounds: { origin } }: Asked & { change: ChangeEvents },
  today: string,
): Promise<NextPage> {
  const { position, at: published_at, ids, left } = change;
  const { place } = readTimepoint(origin, from);
  const end = (Math.floor(place / EVENTS_A_PAGE) + 1) * EVENTS_A_PAGE;
  const leftIds = left.slice(Math.max(0, place - ids.length), Math.max(0, end - ids.length));
  const contents = await fetchContents(records, stream, { ids: ids.slice(place, end), left: leftIds, today });
  const lines = contents.flatMap((one, index) => {
    if (!one) return [];
    const { kind: resource_kind, uri: resource_uri, id: resource_id } = one.address;
    const type = one.data ? "changed" : "deleted";
    const event = { timepoint: toTimepoint(origin, position, place + index), published_at, type };
    const { data = {} } = one;
    return `${JSON.stringify({ resource_kind, resource_uri, resource_id, data, event })}\n`;
  });
  const isLast = end >= ids.length + left.length;
  return {
    bytes: Buffer.from(lines.join("")),
    next: isLast ? toTimepoint(origin, positionAfter(position), 0) : toTimepoint(origin, position, end),
  };
}

/** The event of each record, then of each address that a record left, in order; null: none; without data: deleted. */
async function fetchContents(
  records: Stores["mongo"]["records"],
  stream: StreamDefinition,
  { ids, left, today }: Pick<ChangeEvents, "ids" | "left"> & { today: string },
): Promise<({ address: ResourceAddress; data?: unknown } | null)[]> {
  const stored = new Map((await records.fetchStored(stream.record, ids)).map((item) => [item._id, item]));
  const live = [...stored.values()].filter((item): item is StoredRecord => !isTombstone(item));
  const shown = await stream.present(records, live, { today });
  const bodies = new Map(live.map(({ _id }, index) => [_id, shown[index]]));
  const gone = [...stored.values()].flatMap((item) => (isTombstone(item) ? (item.address ?? []) : []));
  const inUse = await fetchAddressesInUse(records, stream, [...gone, ...left]);
  const toDeletion = (address: ResourceAddress | undefined) =>
    address && !inUse.has(address.uri) ? { address } : null;
  const contents = ids.map((id) => {
    const item = stored.get(id);
    const address = item && addressOf(stream, item);
    return address && !isTombstone(item) ? { address, data: bodies.get(id) } : toDeletion(address);
  });
  return [...contents, ...left.map(toDeletion)];
}

/** Which of these addresses a stored record still has, under another id. They need no "deleted" event. */
async function fetchAddressesInUse(
  records: Stores["mongo"]["records"],
  { record }: StreamDefinition,
  gone: readonly ResourceAddress[],
): Promise<Set<string>> {
  const { incoming } = record;
  const locations = gone.flatMap((address) => incoming?.locate({ ...address, data: {} }) ?? []);
  const field = locations[0]?.field;
  if (field === undefined || field === "_id") return new Set();
  const found = await records.fetchGroups(record, { field, values: locations.map(({ value }) => value) });
  return new Set(found.records.flatMap(({ data }) => incoming?.addressOf?.(data).uri ?? []));
}

function addressOf({ record }: StreamDefinition, item: RecordOrTombstone) {
  return isTombstone(item) ? item.address : record.incoming?.addressOf?.(item.data);
}
