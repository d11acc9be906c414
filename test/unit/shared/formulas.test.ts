import { expect, it } from "@jest/globals";
import { withoutFormulas } from "../../../api/shared/values/formulas.ts";

it.each([
  ["=1+1", "'=1+1"],
  ["\uff1d1", "'\uff1d1"],
  ["\r=1", "'\r=1"],
  ["A;=1+1;-1", "A;'=1+1;'-1"],
  ["A\t@A1", "A\t'@A1"],
  ['A; "\uff0b1"', `A; "'\uff0b1"`],
  ["A=B; C-D", "A=B; C-D"],
  ["", ""],
])("a spreadsheet runs nothing of %j", (cell, written) => {
  expect(withoutFormulas(cell)).toBe(written);
});
