import { describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../../api/core/stores/mongo.ts";
import { authenticateByKey, parseKey } from "../../../api/http/auth/api-key.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("parseKey", () => {
  it.each([
    ["Basic, the password empty", basic("my-key:"), ""],
    ["Basic, any password", basic("my-key:secret:with:colons"), ""],
    ["Basic, no colon at all", basic("my-key"), ""],
    ["Basic in another case", basic("my-key:").replace("Basic", "bAsIc"), ""],
    ["the bare key", "my-key", ""],
    ["the header api_key", "", "my-key"],
    ["both, where Authorization counts", "my-key", "another"],
  ])("reads %s", (_what, authorization, apiKeyHeader) => {
    expect(parseKey(authorization, apiKeyHeader)).toBe("my-key");
  });

  it.each([
    ["nothing", ""],
    ["spaces", "   "],
  ])("says of %s that the header is empty", (_what, authorization) => {
    expect(() => parseKey(authorization, "")).toThrow("Empty Authorization header");
  });

  it.each([
    "Basic",
    "Basic ",
    basic(":password"),
    "Bearer some-token",
    "Digest a b",
    "my key in words",
    "Basic a b",
  ])("refuses %p", (authorization) => {
    expect(() => parseKey(authorization, "")).toThrow("Invalid Authorization");
  });
});

describe("authenticateByKey", () => {
  it("lets a revoked key in for ten seconds at most, however long the store took to answer", async () => {
    let now = 0;
    let isRevoked = false;
    const fetchSlowly = () => {
      const found = isRevoked ? null : { _id: "hash", name: "slow", created_at: "2026-01-01T00:00:00Z" };
      now += 8_000;
      return Promise.resolve(found);
    };
    // The cast: nothing else of the store is asked.
    const documents = { fetch: fetchSlowly } as unknown as DocumentStore;
    const authenticate = authenticateByKey(documents, () => now);
    const call = () => {
      const context = { state: {}, ip: "", get: (name: string) => (name === "api_key" ? "a-key" : "") };
      return authenticate(context as never, () => Promise.resolve()) as Promise<void>;
    };
    await call();
    isRevoked = true;
    now = 10_000;
    await call();
    now = 10_001;
    await expect(call()).rejects.toThrow("Invalid Authorization");
  });
});
