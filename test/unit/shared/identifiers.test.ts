import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { contentHash, deriveId, hashOnce } from "../../../api/shared/values/identifiers.ts";

test("ids have the shape of the API's own", () => {
  expect(deriveId("officer", "19901234")).toMatch(/^[A-Za-z0-9_-]{27}$/);
});

test("ids stay the same over runs and versions", () => {
  const expected = createHash("sha1").update("officer|19901234").digest("base64url");
  expect(deriveId("officer", "19901234")).toBe(expected);
});

test("equal keys of two kinds have different ids", () => {
  expect(deriveId("officer", "19901234")).not.toBe(deriveId("disqualified", "19901234"));
});

test("the hash does not depend on the order of members", () => {
  expect(contentHash({ a: 1, b: { c: [2], d: "é" } })).toBe(contentHash({ b: { d: "é", c: [2] }, a: 1 }));
});

test("the hash depends on the order of lists", () => {
  expect(contentHash([1, 2])).not.toBe(contentHash([2, 1]));
});

test("an absent member and an undefined one are the same", () => {
  expect(contentHash({ a: 1, b: undefined })).toBe(contentHash({ a: 1 }));
});

test("the hash is the SHA-1 of compact JSON with sorted members", () => {
  const expected = createHash("sha1").update('{"a":[null,"x\\"y"],"b":true}').digest("hex");
  expect(contentHash({ b: true, a: [null, 'x"y'] })).toBe(expected);
});

test("an object whose hash is remembered has the hash of its content", () => {
  const [one, other] = [{ a: 1 }, { a: 2 }];
  expect([hashOnce(one), hashOnce(one), hashOnce(other)]).toEqual([
    ...[contentHash(one), contentHash(one), contentHash(other)],
  ]);
});
