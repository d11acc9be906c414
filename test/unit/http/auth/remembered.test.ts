import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { UnavailableError } from "../../../../api/shared/runtime/errors.ts";
import { openSecretCache } from "../../../../api/http/auth/secret-cache.ts";

afterEach(() => void jest.useRealTimers());

/** A store with these hashes, which counts its questions. */
function open(stored: Set<string>) {
  const state = { now: 0, questions: [] as string[][], isAway: false, isSilent: false, slowMs: 0 };
  const remembered = openSecretCache<string>({
    now: () => state.now,
    fetchMany: (hashes) => {
      state.questions.push([...hashes]);
      state.now += state.slowMs;
      if (state.isSilent) return new Promise(() => undefined);
      if (state.isAway) return Promise.reject(new UnavailableError("mongodb", "away"));
      return Promise.resolve(new Map(hashes.filter((hash) => stored.has(hash)).map((hash) => [hash, hash])));
    },
  });
  return { state, remembered };
}

describe("a known key", () => {
  it("is asked for again only after five seconds", async () => {
    const { state, remembered } = open(new Set(["key"]));
    for (const now of [0, 5_000, 5_001]) {
      state.now = now;
      expect(await remembered.find("key")).toBe("key");
    }
    expect(state.questions).toHaveLength(2);
  });

  it("is unknown five seconds after it was revoked, however long the store took to answer", async () => {
    const stored = new Set(["key"]);
    const { state, remembered } = open(stored);
    state.slowMs = 4_000;
    await remembered.find("key");
    stored.clear();
    state.now = 5_000;
    expect(await remembered.find("key")).toBe("key");
    state.now = 5_001;
    expect(await remembered.find("key")).toBeNull();
  });

  it("stays known for an hour while the store is unavailable", async () => {
    const { state, remembered } = open(new Set(["key"]));
    await remembered.find("key");
    state.isAway = true;
    state.now = 3_600_000;
    expect(await remembered.find("key")).toBe("key");
    state.now = 3_600_001;
    await expect(remembered.find("key")).rejects.toThrow(UnavailableError);
  });

  it("is asked for again if the clock was set back", async () => {
    const stored = new Set(["key"]);
    const { state, remembered } = open(stored);
    state.now = 3_600_000;
    await remembered.find("key");
    stored.clear();
    state.now = 0;
    expect(await remembered.find("key")).toBeNull();
  });

  it("does not wait a whole second for a silent store", async () => {
    const { state, remembered } = open(new Set(["key"]));
    await remembered.find("key");
    state.isSilent = true;
    state.now = 10_000;
    jest.useFakeTimers();
    const found: (string | null)[] = [];
    void remembered.find("key").then((value) => found.push(value));
    await jest.advanceTimersByTimeAsync(999);
    expect(found).toEqual(["key"]);
  });

  it("is asked for once by all who ask at the same time", async () => {
    const { state, remembered } = open(new Set(["key"]));
    await Promise.all([remembered.find("key"), remembered.find("key"), remembered.find("key")]);
    state.now = 6_000;
    await Promise.all([remembered.find("key"), remembered.find("key")]);
    expect(state.questions).toEqual([["key"], ["key"]]);
  });
});

describe("an unknown key", () => {
  it("is remembered for a minute", async () => {
    const { state, remembered } = open(new Set());
    for (let i = 0; i < 3; i += 1) expect(await remembered.find("wrong")).toBeNull();
    expect(state.questions).toHaveLength(1);
    expect(remembered.isRemembered("wrong")).toBe(true);
  });

  it("costs two questions a second, however many there are, and a right one still gets its answer", async () => {
    const { state, remembered } = open(new Set(["right"]));
    const startedAt = performance.now();
    const first = remembered.find("wrong");
    // By then it has been asked for.
    await new Promise(setImmediate);
    const many = Array.from({ length: 200 }, (_, i) => remembered.find(`wrong ${i}`));
    const right = remembered.find("right");
    expect(await first).toBeNull();
    expect(await right).toBe("right");
    expect(new Set(await Promise.all(many))).toEqual(new Set([null]));
    expect(performance.now() - startedAt).toBeGreaterThan(450);
    expect(state.questions.map(({ length }) => length)).toEqual([1, 201]);
  });

  it("takes no room from a right one, however many there are", async () => {
    const { state, remembered } = open(new Set(["right"]));
    const flood = Array.from({ length: 6_000 }, (_, i) => remembered.find(`wrong ${i}`));
    expect(await remembered.find("right")).toBe("right");
    expect(new Set(await Promise.all(flood))).toEqual(new Set([null]));
    expect(state.questions.map(({ length }) => length)).toEqual([6_001]);
  });

  it("causes no pause if all keys were right", async () => {
    const { remembered } = open(new Set(["one", "two"]));
    // No time passes, so a request that waited for a timer would get no answer.
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const found: (string | null)[] = [];
    for (const hash of ["one", "two"]) void remembered.find(hash).then((value) => found.push(value));
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(found).toEqual(["one", "two"]);
  });

  it("is not remembered if the store could not be asked", async () => {
    const { state, remembered } = open(new Set(["key"]));
    state.isAway = true;
    await expect(remembered.find("key")).rejects.toThrow(UnavailableError);
    state.isAway = false;
    expect(await remembered.find("key")).toBe("key");
  });
});
