/** How often a worker looks for changes to follow, on stand-ins for the stores. */
import { expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { LiveFollower } from "../../../ingest/log/log-follower.ts";
import { waitUntil } from "../../support/wait-until.ts";

it.concurrent.each<[string, () => Promise<null>]>([
  ["another process follows", () => Promise.resolve(null)],
  ["a store is unavailable", () => Promise.reject(new Error("not there"))],
])("a worker pauses before it looks for changes again while links are left and %s", async (_what, refuse) => {
  let position = 0;
  let looks = 0;
  let isRefused = false;
  const locks = {
    acquire: () => {
      looks += 1;
      return isRefused ? refuse() : Promise.resolve({ release: () => Promise.resolve() });
    },
  };
  const documents = {
    // A pass of links that takes this long is not due again for ten times as long.
    fetch: () => sleep(50, null),
    fetchAll: () => Promise.resolve([]),
    putMissing: () => Promise.resolve(new Set()),
  };
  // The cast: without changes, nothing else is used.
  const stores = {
    redis: {
      locks,
      fetchPosition: () => Promise.resolve(position),
      areFollowersCalled: () => Promise.resolve(false),
    },
    mongo: { documents },
  } as unknown as Stores;
  const follower = new LiveFollower(stores, { warn: () => undefined, error: () => undefined });
  try {
    await waitUntil(() => Promise.resolve(looks > 0), "the worker has looked once");
    await sleep(200);
    position += 1;
    await follower.during(() => Promise.resolve());
    await waitUntil(
      () => Promise.resolve(looks > 1),
      "the worker has looked again, and has postponed the links",
    );
    isRefused = true;
    await sleep(2_500);
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(7);
  } finally {
    await follower.stop();
  }
});

it.concurrent("a worker looks for changes at once while a command calls the followers", async () => {
  let looks = 0;
  let isCalled = false;
  const acquire = () => Promise.resolve((looks += 1) && null);
  const areFollowersCalled = () => Promise.resolve(isCalled);
  // The cast: nothing else is used, because another process has the lock.
  const stores = { redis: { locks: { acquire }, areFollowersCalled }, mongo: {} } as unknown as Stores;
  const follower = new LiveFollower(stores, { warn: () => undefined, error: () => undefined });
  try {
    await sleep(1_500);
    const uncalled = looks;
    isCalled = true;
    await sleep(1_500);
    expect(uncalled).toBeLessThan(3);
    expect(looks - uncalled).toBeGreaterThan(4);
  } finally {
    await follower.stop();
  }
});
