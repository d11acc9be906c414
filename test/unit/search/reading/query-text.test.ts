/** Escaped signs in a copied query. */
import { expect, test } from "@jest/globals";
import { queryText } from "../../../../api/search/reading/query-text.ts";

test.each([
  ["Quillory+%26+Brant+Ltd", "Quillory & Brant Ltd"],
  ["Quillory+Ltd", "Quillory Ltd"],
  ["Quillory+Brant+Tarn", "Quillory Brant Tarn"],
  ["Quillory+Brant+Ltd%20", "Quillory Brant Ltd "],
  // Elsewhere a plus is the word PLUS.
  ["Quillory+Brant", "Quillory+Brant"],
  ["A+B+Quillory", "A+B+Quillory"],
  ["Quillory+ Ltd", "Quillory+ Ltd"],
])("in %j is read as %j", (given, text) => {
  expect(queryText("").settle?.(given)).toBe(text);
});
