/** How a load waits for batches that another load has left. */
import { expect, it } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { waitForLeftBatches } from "../../../ingest/load/left-batches.ts";

/** Loads companies beside a killed load that has read these files; returns what is told meanwhile. */
async function loadBeside(surveyed: { fills?: string[] }[] | null): Promise<string[]> {
  const messages: string[] = [];
  // The answers of the queue in turn: all batches; those of the killed load that are queued, then those in progress; all
  // batches again.
  const answers = [["a-killed-load-1"], [], ["a-killed-load-1"], []];
  const queue = {
    getRanges: () => Promise.resolve(answers.shift() ?? []),
    getWorkersCount: () => Promise.reject(new UnavailableError("redis", "away")),
  };
  const guard = (operation: () => unknown) => operation();
  const documents = { fetch: () => Promise.resolve(surveyed && { surveyed }) };
  const run = {
    ...{
      queue,
      record: { _id: "a-load" },
      context: { isStopping: () => false, tell: messages.push.bind(messages) },
    },
    stores: { mongo: { documents }, redis: { guard, locks: { list: () => Promise.resolve([]) } } },
  };
  // The cast: nothing else of a load is used.
  await waitForLeftBatches(run as unknown as Parameters<typeof waitForLeftBatches>[0], [
    "officers",
    "companies",
  ]);
  return messages;
}

it.each([
  ["of the same kind", [{ fills: ["companies"] }]],
  ["of several kinds and files", [{ fills: ["charges"] }, { fills: ["charges", "companies"] }]],
  ["that MongoDB lacks since it was restored", null],
])(
  "a load waits for the batches of a killed load %s, even if Redis cannot say whether workers run",
  async (_, files) => {
    const told = expect.stringMatching(/^workers still write batches of load a-killed-load/) as unknown;
    expect(await loadBeside(files)).toEqual([told]);
  },
);

it("a load does not wait for the batches of a killed load of other kinds, or of a followed stream", async () => {
  expect(await loadBeside([{ fills: ["charges"] }, {}])).toEqual([]);
});
