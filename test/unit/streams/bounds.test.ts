/** What the events of a restored database, which has none, cost a reader of the oldest. */
import { expect, it } from "@jest/globals";
import { fetchBounds, readTimepoint } from "../../../api/shared/stores/collections/events.ts";
import { toPosition } from "../../../api/shared/stores/collections/positions.ts";
import { openPages } from "../../../api/streams/pages.ts";
import { streams, type StreamDefinition } from "../../../api/streams/streams.ts";

it("does not look through the positions of before the restore", async () => {
  const stored = new Map<string, object>([["live", { _id: "live", position: toPosition(5_000_000) }]]);
  let looks = 0;
  const documents = {
    fetch: (_collection: string, id: string) => Promise.resolve(stored.get(id) ?? null),
    fetchAll: () => {
      looks += 1;
      return Promise.resolve([]);
    },
    putMissing: (_collection: string, items: { _id: string }[]) => {
      for (const item of items) stored.set(item._id, item);
      return Promise.resolve(new Set());
    },
  };
  // The cast: all that is used of a store without events.
  const mongo = { documents } as unknown as Parameters<typeof openPages>[0]["mongo"];
  const bounds = await fetchBounds(mongo.documents);
  const [stream] = streams as readonly [StreamDefinition, ...StreamDefinition[]];
  const page = await openPages({ mongo }, () => new Date())(stream, bounds.origin, bounds);
  expect(page).toEqual({ bytes: Buffer.alloc(0), next: bounds.next });
  expect(readTimepoint(bounds.origin, page.next).position).toBe(toPosition(5_000_001));
  expect(looks).toBe(0);
});
