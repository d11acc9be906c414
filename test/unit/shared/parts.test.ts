import { expect, test } from "@jest/globals";
import { missingParts } from "../../../api/shared/values/parts.ts";

const first = { part: 1, parts: 3 };

test.each([
  ["one file", [undefined], []],
  ["all parts", [first, { part: 2, parts: 3 }, { part: 3, parts: 3 }], []],
  ["one part", [first], [2, 3]],
  ["a part before a file that is none", [first, undefined], [2, 3]],
  ["a part behind a file that is none", [undefined, first], [2, 3]],
  ["parts with names, of any number", [{ part: "sc" }, { part: "ew_2" }, { part: "ew_1" }], []],
  [
    "parts with names, between whose numbers one lacks",
    [{ part: "ew_4" }, { part: "ew_1" }, { part: "ni_1" }],
    ["ew_2", "ew_3"],
  ],
])("%s", (_what, there, lacking) => {
  expect(missingParts(there)).toEqual(lacking);
});
