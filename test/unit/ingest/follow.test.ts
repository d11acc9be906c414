/** How often a worker looks for changes to follow, on stand-ins for the stores. */
import { expect, it } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { LINKS } from "../../../api/shared/stores/collections/positions.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { LiveFollower } from "../../../ingest/log/log-follower.ts";
import { waitUntil } from "../../support/wait-until.ts";

const LOG = { warn: () => undefined, error: () => undefined };

it.concurrent.each<[string, () => Promise<null>]>([
  ["another process follows", () => Promise.resolve(null)],
  ["a store is unavailable", () => Promise.reject(new Error("not there"))],
])("a worker pauses before it looks for changes again while %s", async (_what, refuse) => {
  let looks = 0;
  const acquire = () => {
    looks += 1;
    return refuse();
  };
  const redis = { locks: { acquire }, areFollowersCalled: () => Promise.resolve(false) };
  // The cast: nothing else is used, because the worker never has the lock.
  const follower = new LiveFollower({ redis, mongo: {} } as unknown as Stores, LOG);
  try {
    await sleep(3_500);
    expect(looks).toBeGreaterThan(1);
    expect(looks).toBeLessThan(5);
  } finally {
    await follower.stop();
  }
});

it.concurrent("a worker updates the links while batches begin, and not only once none begins", async () => {
  let position = 0;
  let reads = 0;
  const documents = {
    fetch: (_collection: string, id: string) => {
      if (id === LINKS) reads += 1;
      return Promise.resolve(null);
    },
    fetchAll: () => Promise.resolve([]),
    listBetween: () => Promise.resolve([]),
  };
  const locks = { acquire: () => Promise.resolve({ release: () => Promise.resolve() }) };
  const redis = { locks, fetchPosition: () => Promise.resolve((position += 1)) };
  // The cast: without changes, nothing else is used.
  const stores = {
    redis: { ...redis, areFollowersCalled: () => Promise.resolve(false) },
    mongo: { documents },
  } as unknown as Stores;
  const follower = new LiveFollower(stores, LOG);
  try {
    await waitUntil(() => Promise.resolve(reads > 2), "the links were followed several times");
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
  const follower = new LiveFollower(stores, LOG);
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
