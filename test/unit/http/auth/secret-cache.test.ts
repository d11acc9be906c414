import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { UnavailableError } from "../../../../api/shared/runtime/errors.ts";
import { openSecretCache } from "../../../../api/http/auth/secret-cache.ts";

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A cache over a store that knows these hashes, and a list of its lookups in the store. */
function open(stored: Set<string>) {
  const state = { now: 0, lookups: [] as string[][], isAway: false, isSilent: false, slowMs: 0 };
  const cache = openSecretCache<string>({
    now: () => state.now,
    fetchMany: (hashes) => {
      state.lookups.push([...hashes]);
      state.now += state.slowMs;
      if (state.isSilent) return new Promise(() => undefined);
      if (state.isAway) return Promise.reject(new UnavailableError("mongodb", "away"));
      return Promise.resolve(new Map(hashes.filter((hash) => stored.has(hash)).map((hash) => [hash, hash])));
    },
  });
  return { state, cache };
}

describe("a known key", () => {
  it("is looked up again only after five seconds", async () => {
    const { state, cache } = open(new Set(["key"]));
    for (const now of [0, 5_000, 5_001]) {
      state.now = now;
      expect(await cache.find("key")).toBe("key");
    }
    expect(state.lookups).toHaveLength(2);
  });

  it("is unknown five seconds after it was revoked, however long the store took to answer", async () => {
    const stored = new Set(["key"]);
    const { state, cache } = open(stored);
    state.slowMs = 4_000;
    await cache.find("key");
    stored.clear();
    state.now = 5_000;
    expect(await cache.find("key")).toBe("key");
    state.now = 5_001;
    expect(await cache.find("key")).toBeNull();
  });

  it("stays known for an hour while the store is unavailable", async () => {
    const { state, cache } = open(new Set(["key"]));
    await cache.find("key");
    state.isAway = true;
    state.now = 3_600_000;
    expect(await cache.find("key")).toBe("key");
    state.now = 3_600_001;
    await expect(cache.find("key")).rejects.toThrow(UnavailableError);
  });

  it("is looked up again if the clock was set back", async () => {
    const stored = new Set(["key"]);
    const { state, cache } = open(stored);
    state.now = 3_600_000;
    await cache.find("key");
    stored.clear();
    state.now = 0;
    expect(await cache.find("key")).toBeNull();
  });

  it("that was used lately waits less than a second for a silent store", async () => {
    const { state, cache } = open(new Set(["key"]));
    await cache.find("key");
    state.isSilent = true;
    state.now = 10_000;
    jest.useFakeTimers();
    const found: (string | null)[] = [];
    void cache.find("key").then((value) => found.push(value));
    await jest.advanceTimersByTimeAsync(999);
    expect(found).toEqual(["key"]);
  });

  it("is looked up once for all requests that come at the same time", async () => {
    const { state, cache } = open(new Set(["key"]));
    await Promise.all([cache.find("key"), cache.find("key"), cache.find("key")]);
    state.now = 6_000;
    await Promise.all([cache.find("key"), cache.find("key")]);
    expect(state.lookups).toEqual([["key"], ["key"]]);
  });
});

describe("an unknown key", () => {
  it("is remembered for a minute", async () => {
    const { state, cache } = open(new Set());
    const clock = jest.spyOn(performance, "now").mockReturnValue(1_000);
    for (const now of [1_000, 61_000]) {
      clock.mockReturnValue(now);
      // The cache reads its clock once a millisecond.
      await sleep(5);
      expect(await cache.find("wrong")).toBeNull();
    }
    expect(state.lookups).toHaveLength(1);
    clock.mockReturnValue(61_001);
    await sleep(5);
    expect(cache.isRemembered("wrong")).toBe(false);
  });

  it("causes two lookups a second, however many arrive, and a valid key among them is found", async () => {
    const { state, cache } = open(new Set(["right"]));
    const startedAt = performance.now();
    const first = cache.find("wrong");
    // By then its lookup has been sent.
    await new Promise(setImmediate);
    const many = Array.from({ length: 200 }, (_, i) => cache.find(`wrong ${i}`));
    const right = cache.find("right");
    expect(await first).toBeNull();
    expect(await right).toBe("right");
    expect(new Set(await Promise.all(many))).toEqual(new Set([null]));
    expect(performance.now() - startedAt).toBeGreaterThan(450);
    expect(state.lookups.map(({ length }) => length)).toEqual([1, 201]);
  });

  it("does not keep a valid key out of a lookup, however many arrive", async () => {
    const { state, cache } = open(new Set(["right"]));
    const flood = Array.from({ length: 6_000 }, (_, i) => cache.find(`wrong ${i}`));
    expect(await cache.find("right")).toBe("right");
    expect(new Set(await Promise.all(flood))).toEqual(new Set([null]));
    expect(state.lookups.map(({ length }) => length)).toEqual([6_001]);
  });

  it("causes the pause after a lookup: valid keys alone cause none", async () => {
    const { cache } = open(new Set(["one", "two"]));
    // No time passes, so a request that waited for a timer would get no answer.
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const found: (string | null)[] = [];
    for (const hash of ["one", "two"]) {
      void cache.find(hash).then((value) => found.push(value));
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    }
    expect(found).toEqual(["one", "two"]);
  });

  it("is not remembered as wrong if the store was unavailable", async () => {
    const { state, cache } = open(new Set(["key"]));
    state.isAway = true;
    await expect(cache.find("key")).rejects.toThrow(UnavailableError);
    state.isAway = false;
    expect(await cache.find("key")).toBe("key");
  });
});
