import { expect, test } from "@jest/globals";
import { missingParts } from "../../../api/shared/values/parts.ts";

const first = { part: 1, parts: 3 };

test.each([
  ["none beside a whole file", [undefined], []],
  ["none beside all parts", [first, { part: 2, parts: 3 }, { part: 3, parts: 3 }], []],
  ["all others beside one part", [first], [2, 3]],
  ["the other parts if a file without a part follows", [first, undefined], [2, 3]],
  ["the other parts if a file without a part comes first", [undefined, first], [2, 3]],
  [
    "none beside parts with names, whose number is unknown",
    [{ part: "sc" }, { part: "ew_2" }, { part: "ew_1" }],
    [],
  ],
  [
    "those up to the highest number of a name",
    [{ part: "ew_4" }, { part: "ew_1" }, { part: "ni_1" }],
    ["ew_2", "ew_3"],
  ],
])("the missing parts are %s", (_title, files, missing) => {
  expect(missingParts(files)).toEqual(missing);
});
