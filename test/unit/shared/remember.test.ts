import { expect, it } from "@jest/globals";
import { remember } from "../../../api/shared/values/remember.ts";

/** A remembering function, and how often it read each text. */
function counted() {
  const reads = new Map<string, number>();
  const read = remember((text) => {
    reads.set(text, (reads.get(text) ?? 0) + 1);
    return text === "" ? null : text.toUpperCase();
  });
  return { read, readsOf: (text: string) => reads.get(text) };
}

it("reads a text once, even if the result is nothing", () => {
  const { read, readsOf } = counted();
  expect([read("leeds"), read("leeds"), read(""), read("")]).toEqual(["LEEDS", "LEEDS", null, null]);
  expect([readsOf("leeds"), readsOf("")]).toEqual([1, 1]);
});

it("does not keep long texts, which may be of any size", () => {
  const { read, readsOf } = counted();
  const long = "x".repeat(51);
  expect([read(long), read(long)]).toEqual([long.toUpperCase(), long.toUpperCase()]);
  expect(readsOf(long)).toBe(2);
});

it("starts again once it holds very many texts", () => {
  const { read, readsOf } = counted();
  for (let at = 0; at <= 50_000; at += 1) read(String(at));
  expect(read("0")).toBe("0");
  expect([readsOf("0"), readsOf("50000")]).toEqual([2, 1]);
});
