/** Events are read as they were stored, and with few reads after a restore without events. */
import { expect, it } from "@jest/globals";
import {
  fetchBounds,
  fetchNextEvents,
  putEvents,
  readTimepoint,
} from "../../../api/shared/stores/collections/events.ts";
import { toPosition } from "../../../api/shared/stores/collections/positions.ts";
import { openPages } from "../../../api/streams/pages.ts";
import { streams, type StreamDefinition } from "../../../api/streams/streams.ts";

const LIVE = toPosition(5_000_000);

/** A database with these documents, and a count of the reads of events. The cast: only this part is used. */
function databaseOf(...items: { _id: string }[]) {
  const stored = new Map(items.map((item) => [item._id, item]));
  const reads = { count: 0 };
  const documents = {
    fetch: (_collection: string, id: string) => Promise.resolve(stored.get(id) ?? null),
    fetchAll: (_collection: string, { _id: ids }: { _id: string[] }) => {
      reads.count += 1;
      return Promise.resolve(ids.flatMap((id) => stored.get(id) ?? []));
    },
    listBetween: (
      _collection: string,
      { after, before }: Record<"after" | "before", string>,
      limit: number,
    ) => {
      reads.count += 1;
      const ids = [...stored.keys()].filter((id) => id > after && id < before).sort();
      return Promise.resolve(ids.slice(0, limit).map((id) => stored.get(id)));
    },
    putMissing: (_collection: string, missing: { _id: string }[]) => {
      for (const item of missing) stored.set(item._id, item);
      return Promise.resolve(new Set());
    },
  };
  return { mongo: { documents } as unknown as Parameters<typeof openPages>[0]["mongo"], reads };
}

it("a page from the oldest timepoint needs no reads of the positions before a restore", async () => {
  const { mongo, reads } = databaseOf({ _id: "live", ...{ position: LIVE } });
  const bounds = await fetchBounds(mongo.documents);
  const [stream] = streams as readonly [StreamDefinition, ...StreamDefinition[]];
  const page = await openPages({ mongo }, () => new Date())(stream, bounds.origin, bounds);
  expect(page).toEqual({ bytes: Buffer.alloc(0), next: bounds.next });
  expect(readTimepoint(bounds.origin, page.next).position).toBe(toPosition(5_000_001));
  expect(reads.count).toBe(0);
});

it("the next event after millions of empty positions is found with few reads", async () => {
  const event = { at: "2026-11-21T06:12:00", ids: "96000001" };
  const { mongo, reads } = databaseOf({ _id: `companies/${LIVE}`, ...event });
  const span = { from: toPosition(2), until: LIVE };
  const found = await fetchNextEvents(mongo.documents, "companies", span);
  expect(found).toEqual({ ...event, position: LIVE, ids: ["96000001"], left: [] });
  const before = toPosition(4_999_999);
  expect(await fetchNextEvents(mongo.documents, "companies", { ...span, until: before })).toBeNull();
  expect(reads.count).toBeLessThan(200);
});

it("an event has the ids of its records, and the addresses that records have left", async () => {
  const { mongo } = databaseOf();
  const at = "2026-11-21T06:12:00";
  const left = [{ kind: "company-charges", uri: "/company/96000001/charges/a", id: "a" }];
  const events = [
    { position: toPosition(1), at, ids: ["96000001", "96000002"], left: [] },
    { position: toPosition(2), at, ids: [], left },
  ];
  await putEvents(
    mongo.documents,
    events.map((event) => ({ ...event, collection: "companies" })),
  );
  for (const event of events) {
    const span = { from: event.position, until: LIVE };
    expect(await fetchNextEvents(mongo.documents, "companies", span)).toEqual(event);
  }
});
