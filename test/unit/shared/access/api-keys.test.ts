import { expect, it } from "@jest/globals";
import { isExpired } from "../../../../api/shared/access/api-keys.ts";

const NOW = Date.parse("2026-03-01T00:00:00Z");

it.each([
  ["is expired at the moment in expires_at", "2026-03-01T00:00:00.000Z", true],
  ["is not expired until then", "2026-03-01T00:00:00.001Z", false],
  // Only somebody who edits the database can write such a date; the key must not stay valid for ever.
  ["is expired if expires_at cannot be read", "2026-13-01", true],
])("a key %s", (_title, expires_at, expected) => {
  expect(isExpired({ expires_at }, NOW)).toBe(expected);
});

it("a key without expires_at does not expire", () => {
  expect(isExpired({}, NOW)).toBe(false);
});
