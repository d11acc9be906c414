/** What a load says while it waits for batches of another one. */
import { expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { waitForLeftBatches } from "../../../ingest/load/left-batches.ts";

it("keeps waiting if Redis cannot say whether workers run", async () => {
  const told: string[] = [];
  // It reads which loads have batches, which of its own are queued, which are in progress, and which loads again.
  const looks = [["a-killed-load-1"], [], ["a-killed-load-1"], []];
  const queue = {
    getRanges: () => Promise.resolve(looks.shift() ?? []),
    getWorkersCount: () => Promise.reject(new UnavailableError("redis", "away")),
  };
  const guard = (operation: () => unknown) => operation();
  const documents = { fetch: () => Promise.resolve({ surveyed: [{ fills: ["companies"] }] }) };
  const run = {
    ...{
      queue,
      record: { _id: "a-load" },
      context: { isStopping: () => false, tell: told.push.bind(told) },
    },
    stores: { mongo: { documents }, redis: { guard, locks: { list: () => Promise.resolve([]) } } },
  };
  // The cast: all that is used of a load.
  await waitForLeftBatches(run as unknown as Parameters<typeof waitForLeftBatches>[0], ["companies"]);
  expect(told).toEqual([expect.stringMatching(/^workers still write batches of load a-killed-load/)]);
});
