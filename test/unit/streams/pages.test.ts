import { expect, test } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { toTimepoint } from "../../../api/shared/stores/collections/events.ts";
import { toPosition } from "../../../api/shared/stores/collections/positions.ts";
import { openPages } from "../../../api/streams/pages.ts";
import { streams } from "../../../api/streams/streams.ts";

test("a reader that knows of more does not get the answer of one for whom there was nothing", async () => {
  const [stream] = streams;
  if (!stream) throw new Error("there are no streams");
  const event = {
    _id: `${stream.record.collection}/${toPosition(3)}`,
    at: "2026-11-02",
    ids: "",
    left: "[]",
  };
  const documents = {
    // An answer on its way while the next reader asks.
    fetchAll: async (_collection: string, { _id }: { _id: string[] }) => {
      await sleep(50);
      return _id.includes(event._id) ? [event] : [];
    },
    fetch: () => Promise.resolve(event),
  };
  const mongo = { documents } as unknown as Parameters<typeof openPages>[0]["mongo"];
  const fetchNext = openPages({ mongo }, () => new Date());
  const from = toTimepoint(toPosition(1), 0);
  const [early, late] = await Promise.all([
    fetchNext(stream, from, toPosition(2)),
    fetchNext(stream, from, toPosition(9)).catch((error: unknown) => error),
  ]);
  expect(early.next).toBe(toTimepoint(toPosition(3), 0));
  // Its page holds the change at the third position.
  expect(late).not.toMatchObject({ next: toTimepoint(toPosition(10), 0) });
});
