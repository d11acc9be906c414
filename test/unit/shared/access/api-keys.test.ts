import { expect, it } from "@jest/globals";
import { isExpired } from "../../../../api/shared/access/api-keys.ts";

const NOW = Date.parse("2026-03-01T00:00:00Z");

it.each([
  ["no key from its expiry on", "2026-03-01T00:00:00.000Z", true],
  ["a key until then", "2026-03-01T00:00:00.001Z", false],
  // Only somebody who edits the database can write such a date; the key must not stay valid for ever.
  ["no key where its expiry cannot be read", "2026-13-01", true],
])("a key with an end is %s", (_what, expires_at, expected) => {
  expect(isExpired({ expires_at }, NOW)).toBe(expected);
});

it("a key without an end does not expire", () => {
  expect(isExpired({}, NOW)).toBe(false);
});
