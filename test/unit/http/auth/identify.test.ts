import { describe, expect, it } from "@jest/globals";
import { parseCredentials } from "../../../../api/http/auth/identify.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("parseCredentials", () => {
  it.each([
    ["Basic, the password empty", basic("my-key:"), ""],
    ["Basic, any password", basic("my-key:secret:with:colons"), ""],
    ["Basic, no colon at all", basic("my-key"), ""],
    ["Basic in another case", basic("my-key:").replace("Basic", "bAsIc"), ""],
    ["the bare key", "my-key", ""],
    ["the header api_key", "", "my-key"],
    ["Authorization, if both headers have one", "my-key", "another"],
  ])("reads a key from %s", (_what, authorization, apiKeyHeader) => {
    expect(parseCredentials(authorization, apiKeyHeader)).toEqual({ kind: "key", secret: "my-key" });
  });

  it.each(["Bearer some-token", "bearer  some-token"])("reads a token from %p", (authorization) => {
    expect(parseCredentials(authorization, "")).toEqual({ kind: "bearer", secret: "some-token" });
  });

  it("finds no credentials in empty headers", () => {
    expect(parseCredentials("", "")).toEqual({ kind: "none" });
  });

  it.each([
    "Basic",
    "Basic ",
    basic(":password"),
    "Bearer",
    "Bearer a b",
    "Digest a b",
    "Digest some",
    "my key in words",
    "Basic a b",
    basic("k".repeat(300)),
  ])("finds %p malformed", (authorization) => {
    expect(parseCredentials(authorization, "")).toEqual({ kind: "malformed" });
  });
});
