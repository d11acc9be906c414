/** What a load says while it waits for batches of another one. */
import { expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { waitForLeft } from "../../../ingest/load/left-batches.ts";

it("waits on where Redis cannot say whether workers run", async () => {
  const told: string[] = [];
  const writing = [["a-killed-load"], []];
  const producer = {
    listWriting: () => Promise.resolve(writing.shift() ?? []),
    removeQueued: () => Promise.resolve(1),
    hasWorkers: () => Promise.reject(new UnavailableError("redis", "away")),
  };
  const documents = { fetch: () => Promise.resolve({ surveyed: [{ fills: ["companies"] }] }) };
  const run = {
    ...{
      producer,
      record: { _id: "a-load" },
      context: { isStopping: () => false, tell: told.push.bind(told) },
    },
    stores: { mongo: { documents }, redis: { locks: { list: () => Promise.resolve([]) } } },
  };
  // The cast: all that is used of a load.
  await waitForLeft(run as unknown as Parameters<typeof waitForLeft>[0], ["companies"]);
  expect(told).toEqual([expect.stringMatching(/^workers still write batches of load a-killed-load/)]);
});
