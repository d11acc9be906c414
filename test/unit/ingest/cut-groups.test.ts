import { expect, it } from "@jest/globals";
import { cutGroups, type ReadRow } from "../../../ingest/readers/read-rows.ts";

const firstOf = (text: string) => text.charAt(0);
const rowsOf = (...texts: string[]): ReadRow[] => texts.map((text, at) => ({ line: at + 1, text }));
const linesOf = (rows: ReadRow[]) => cutGroups(rows, firstOf).map((group) => group.map(({ line }) => line));

it("rows with equal keys are a group as long as they follow each other", () => {
  expect(linesOf(rowsOf("a1", "a2", "b1", "a3"))).toEqual([[1, 2], [3], [4]]);
});

it("rows with an empty key are a group, also at the beginning", () => {
  expect(linesOf(rowsOf("", "", "a1"))).toEqual([[1, 2], [3]]);
});

it("a row that could not be decoded belongs to the group before it, which continues after it", () => {
  const [first, , third, fourth] = rowsOf("a1", "", "a2", "b1") as [ReadRow, ReadRow, ReadRow, ReadRow];
  const unreadable = { line: 2, bytes: "yQ==", reason: "no text" };
  expect(linesOf([first, unreadable, third, fourth])).toEqual([[1, 2, 3], [4]]);
});
