import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { DeniedError, UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { closeStores, openStores, type Stores } from "../../../api/shared/stores/index.ts";
import { openPatience, patientStores } from "../../../ingest/patient-stores.ts";
import { delayBefore } from "../../../ingest/queue/queue.ts";

/** An operation that fails some times, and then answers. */
function failing(times: number, fault: Error = new UnavailableError("mongodb", "away")) {
  let calls = 0;
  return () => ((calls += 1) > times ? Promise.resolve(calls) : Promise.reject(fault));
}

describe("the patience of a load", () => {
  const messages: string[] = [];
  const onUnavailable = ({ message }: Error) => messages.push(message);
  const open = (patienceMs: number, isStopping = () => false) =>
    openPatience({ patienceMs, isStopping, onUnavailable });

  it("retries an unavailable store until it answers, and reports once that it waits", async () => {
    messages.length = 0;
    expect(await open(5_000)(failing(3))).toBe(4);
    expect(messages).toEqual(["mongodb is not available: away"]);
  });

  it("ends with the fault, and is not renewed before the store has answered", async () => {
    const wait = open(150);
    const first = jest.fn(failing(100));
    await expect(wait(first)).rejects.toThrow(UnavailableError);
    expect(first.mock.calls.length).toBeGreaterThan(1);
    const second = jest.fn(failing(100));
    await expect(wait(second)).rejects.toThrow(UnavailableError);
    expect(second).toHaveBeenCalledTimes(1);
    await wait(failing(0));
    expect(await wait(failing(1))).toBe(2);
  });

  it("also covers an Elasticsearch that is starting and cannot read its users yet", async () => {
    expect(await open(5_000)(failing(2, new DeniedError("elasticsearch", "not yet")))).toBe(3);
    const denied = failing(1, new DeniedError("mongodb", "wrong password"));
    await expect(open(5_000)(denied)).rejects.toThrow(DeniedError);
  });

  it("does not end because the clock is set forward", async () => {
    const day = 86_400_000;
    const clock = jest.spyOn(Date, "now");
    for (const hours of [0, 24, 48, 72]) clock.mockReturnValueOnce((hours / 24) * day);
    expect(await open(5_000)(failing(2))).toBe(3);
    clock.mockRestore();
  });

  it("covers only passing faults", async () => {
    await expect(open(5_000)(failing(1, new TypeError("a fault of the code")))).rejects.toThrow(TypeError);
  });

  it("ends when the person asks to stop", async () => {
    await expect(open(60_000, () => true)(failing(1))).rejects.toThrow(UnavailableError);
  });
});

describe("the delay before a batch is tried again", () => {
  it("doubles up to ten seconds, and half of it is random", () => {
    expect([1, 2, 3, 4, 5, 19].map((attempt) => delayBefore(attempt, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
    expect(delayBefore(4, 0)).toBe(4_000);
  });
});

describe("the stores of a load", () => {
  let stores: Stores;
  let messages: string[];
  beforeEach(() => {
    // Nothing is sent before the first operation, so no Redis is needed.
    stores = openStores(readConfig({ REDIS_URL: "redis://127.0.0.1:1" }));
    messages = [];
  });
  afterEach(() => closeStores(stores));

  /** The stores of a load, with these parts in place of those of the real stores. */
  const open = (parts: Partial<Stores>) =>
    patientStores(
      { ...stores, ...parts },
      {
        patienceMs: 5_000,
        isStopping: () => false,
        onUnavailable: ({ message }) => void messages.push(message),
      },
    );

  it("have every member that stores have", () => {
    expect(membersOf(open({}))).toEqual(membersOf(stores));
  });

  it("wait for an unavailable Redis to give a lock, and to say whether it is kept", async () => {
    const isKept = failing(1, new UnavailableError("redis", "away"));
    const lock = {
      isHeld: () => Promise.resolve(true),
      isKept: () => isKept().then(() => true),
      note: () => Promise.resolve(),
      release: () => Promise.resolve(),
    };
    const acquire = failing(2, new UnavailableError("redis", "away"));
    const locks = { ...stores.redis.locks, acquire: () => acquire().then(() => lock) };
    const { redis } = open({ redis: { ...stores.redis, locks } });
    const acquired = await redis.locks.acquire("write:companies");
    expect(messages).toEqual(["redis is not available: away"]);
    expect(await acquired?.isKept()).toBe(true);
  });

  it("wait for a Redis that accepts no writes", async () => {
    const nextRevision = failing(2, new UnavailableError("redis", "its memory is full"));
    const { redis } = open({ redis: { ...stores.redis, nextRevision } });
    expect(await redis.nextRevision(0)).toBe(3);
  });

  it("wait for MongoDB to say which persons are the same", async () => {
    const answers = failing(2);
    const fetchRealIds = () => answers().then(() => new Map([["one", "other"]]));
    const persons = { ...stores.mongo.persons, fetchRealIds };
    const { mongo } = open({ mongo: { ...stores.mongo, persons } });
    expect(await mongo.persons.fetchRealIds(["one"])).toEqual(new Map([["one", "other"]]));
  });

  it("wait for Elasticsearch to take words, and to say what is built", async () => {
    const away = () => failing(1, new UnavailableError("elasticsearch", "away"));
    const { words, builds } = stores.elasticsearch;
    const [add, list, isMerged] = [away(), away(), away()];
    const { elasticsearch } = open({
      elasticsearch: {
        ...stores.elasticsearch,
        words: { ...words, add: async () => void (await add()) },
        builds: {
          ...builds,
          list: () => list().then(() => []),
          isMerged: () => isMerged().then(() => true),
        },
      },
    });
    await elasticsearch.words.add(["ACORN"]);
    expect(await elasticsearch.builds.list("companies")).toEqual([]);
    expect(await elasticsearch.builds.isMerged("a task")).toBe(true);
    // It sends nothing, so its result is no promise.
    expect(elasticsearch.words.forgetKnown()).toBeUndefined();
  });
});

/** Names and types of all members; those of plain objects follow a dot. */
function membersOf(part: object, path = ""): string[] {
  return Object.entries(part).flatMap(([name, member]: [string, unknown]) => {
    const isPlain = typeof member === "object" && Object.getPrototypeOf(member) === Object.prototype;
    const place = `${path}${name}`;
    return isPlain ? membersOf(member!, `${place}.`) : `${place}: ${typeof member}`;
  });
}
