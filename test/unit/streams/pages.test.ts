import { describe, expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { toTimepoint } from "../../../api/shared/stores/collections/events.ts";
import { toPosition } from "../../../api/shared/stores/collections/positions.ts";
import { openPages } from "../../../api/streams/pages.ts";
import { streams, type StreamDefinition } from "../../../api/streams/streams.ts";

const ORIGIN = 5_000_000_000;
const at = (position: number) => toTimepoint(ORIGIN, toPosition(position), 0);
const bounds = (reached: number) => ({ origin: ORIGIN, first: toPosition(1), reached: toPosition(reached) });

/** Pages of stored events. The events at the positions in `trimmed` are deleted between two reads. */
function openOver(
  stored: Record<number, { ids: string; left?: object[] }>,
  { trimmed = [] as number[], readMs = 0 } = {},
) {
  const [stream] = streams as readonly [StreamDefinition, ...StreamDefinition[]];
  const idOf = (position: number) => `${stream.record.collection}/${toPosition(position)}`;
  const events = new Map(
    Object.entries(stored).map(([position, { ids, left = [] }]) => {
      const _id = idOf(Number(position));
      return [_id, { _id, at: "2026-11-02", ids, left: JSON.stringify(left) }];
    }),
  );
  const documents = {
    fetchAll: async (_collection: string, { _id: ids }: { _id: string[] }) => {
      await sleep(readMs);
      return ids.flatMap((id) => events.get(id) ?? []);
    },
    fetch: (_collection: string, id: string) => {
      if (trimmed.some((position) => idOf(position) === id)) events.delete(id);
      return Promise.resolve(events.get(id) ?? null);
    },
  };
  const records = {
    fetchStored: () => Promise.resolve([]),
    fetchLoadedSources: () => Promise.resolve([]),
  };
  const mongo = { documents, records } as unknown as Parameters<typeof openPages>[0]["mongo"];
  const fetchNext = openPages({ mongo }, () => new Date());
  return (from: number, reached: number) => fetchNext(stream, from, bounds(reached));
}

describe("a reader of a stream", () => {
  it("gets the change that it knows of, and not the empty page of a reader that asked just before the change", async () => {
    const fetchNext = openOver({ 3: { ids: "" } }, { readMs: 50 });
    const [early, late] = await Promise.all([fetchNext(at(1), 2), fetchNext(at(1), 9)]);
    expect(early.next).toBe(at(3));
    // Its page has the change at the third position.
    expect(late.next).toBe(at(4));
  });

  it("continues with the next change if one is deleted while it reads", async () => {
    const fetchNext = openOver({ 3: { ids: "" }, 5: { ids: "" } }, { trimmed: [3] });
    expect((await fetchNext(at(1), 9)).next).toBe(at(6));
  });

  it("gets each address of deleted records once, even if a page ends between them", async () => {
    const ids = Array.from({ length: 249 }, (_none, place) => `9${place}`).join("\n");
    const left = ["97000001", "97000002", "97000003"].map((id) => ({
      kind: "company-profile",
      uri: `/company/${id}`,
      id,
    }));
    const fetchNext = openOver({ 3: { ids, left } });
    const first = await fetchNext(at(1), 9);
    const second = await fetchNext(first.next, 9);
    expect([first.next, second.next]).toEqual([at(3) + 250, at(4)]);
    // None of the records is stored any more, so they have no events.
    const sent = [first, second].map(({ bytes }) => bytes.toString().trimEnd().split("\n"));
    expect(sent.map((lines) => lines.map((line) => JSON.parse(line) as object))).toMatchObject([
      [{ resource_id: "97000001", event: { type: "deleted", timepoint: at(3) + 249 } }],
      [
        { resource_id: "97000002", event: { timepoint: at(3) + 250 } },
        { resource_id: "97000003", event: { timepoint: at(3) + 251 } },
      ],
    ]);
  });

  it("gets its change however many readers ask for others at the same time", async () => {
    const ids = "x".repeat(6_000_000);
    const fetchNext = openOver({ 1: { ids }, 2: { ids }, 3: { ids }, 4: { ids }, 5: { ids } });
    // There is no change after the fifth.
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((position) => fetchNext(at(position), 9)));
    expect(pages.map(({ next }) => next)).toEqual([2, 3, 4, 5, 6, 10].map(at));
  });
});
