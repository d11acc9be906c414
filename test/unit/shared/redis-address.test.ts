import { describe, expect, it } from "@jest/globals";
import { readSentinels } from "../../../api/shared/stores/redis/redis.ts";

describe("REDIS_URL", () => {
  it("of one server names no sentinels", () => {
    expect(readSentinels("redis://:secret@127.0.0.1:6379/2")).toBeUndefined();
  });

  it("names sentinels, the primary and other options", () => {
    expect(readSentinels("redis+sentinel://one:26380,two,[::1]:7/primary")).toEqual({
      sentinels: [
        { host: "one", port: 26_380 },
        { host: "two", port: 26_379 },
        { host: "::1", port: 7 },
      ],
      ...{ name: "primary", db: 0, failoverDetector: true, sentinelCommandTimeout: 2_000 },
    });
    const url = "rediss+sentinel://me:p%40ss@one:1/the%20primary/3?sentinel_password=%2F";
    expect(readSentinels(url)).toEqual({
      ...{ sentinels: [{ host: "one", port: 1 }], name: "the primary", db: 3, failoverDetector: true },
      sentinelCommandTimeout: 2_000,
      ...{ username: "me", password: "p@ss", sentinelPassword: "/" },
      ...{ tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
    });
  });

  it.each([
    "redis+sentinel://one:1",
    "redis+sentinel://one:x/name",
    "redis+sentinel://one:1,two:x/name",
    "redis+sentinel:///name",
  ])("%s gets an error with the right form", (url) => {
    expect(() => readSentinels(url)).toThrow(/write redis\+sentinel:\/\/HOST:PORT,HOST:PORT\/NAME/);
  });
});
