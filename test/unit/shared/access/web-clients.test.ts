import { describe, expect, it } from "@jest/globals";
import { hashSecret } from "../../../../api/shared/access/secrets.ts";
import {
  formerSecretOf,
  isSecretOf,
  parseRedirectUri,
  withSecret,
  type WebClient,
} from "../../../../api/shared/access/web-clients.ts";

const UNTIL = "2026-03-01T00:00:00.000Z";
const LAST_MOMENT = new Date("2026-02-28T23:59:59.999Z");

const client: WebClient = {
  _id: "0123456789",
  application: "9876543210",
  secret_hash: hashSecret("first"),
  redirect_uris: ["https://app.example/back"],
  created_at: "2026-01-01T00:00:00.000Z",
};

describe("the secret before the last", () => {
  const changed = withSecret(client, "second", UNTIL);

  it("is accepted until it expires, beside the new one", () => {
    expect(formerSecretOf(changed, LAST_MOMENT)).toEqual({ hash: hashSecret("first"), expires_at: UNTIL });
    const accepted = (moment: Date) =>
      ["first", "second", "other"].filter((secret) => isSecretOf(changed, secret, moment));
    expect(accepted(LAST_MOMENT)).toEqual(["first", "second"]);
    expect(accepted(new Date(UNTIL))).toEqual(["second"]);
  });

  it("is not kept without a time, nor is an earlier one", () => {
    expect(withSecret(changed, "third")).toEqual({ ...client, secret_hash: hashSecret("third") });
    expect(withSecret(changed, "third", UNTIL).former_secret?.hash).toBe(hashSecret("second"));
  });
});

it.each([
  "https://app.example/back?to=1",
  "https://app.example:8443",
  "http://localhost:3000/back",
  "http://127.0.0.1/",
  "http://[::1]:80/",
  "com.example.app:/back",
])("a client may register the redirect address %s", (address) => {
  expect(parseRedirectUri(address)).toBe(address);
});

it.each([
  "nowhere",
  "http://app.example/",
  "http://localhost.example/",
  "ftp://localhost/",
  "https:app.example",
  "https:/app.example",
  "https://app.example\\back",
  "https://app.example/back#part",
  "https://app.example/back#",
  "https://app.example/\u00e9",
  "https://app.example/a b",
  "https://anna@app.example/",
  "https://:word@app.example/",
  "javascript:alert(1)",
  "app:/back",
])("a client may not register the redirect address %s", (address) => {
  expect(parseRedirectUri(address)).toBeNull();
});
