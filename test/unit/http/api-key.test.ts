import { describe, expect, it } from "@jest/globals";
import { parseKey } from "../../../api/http/auth/api-key.ts";

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
