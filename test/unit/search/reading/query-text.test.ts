/** Escaped signs and misread characters in a copied query. */
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

test.each([
  ["MÃ¼ller Ltd", "Müller Ltd"],
  ["RenÃ©â€™s", "René’s"],
  // Not misread: a letter whose byte is no UTF-8, one that Windows-1252 does not have, and two signs whose bytes are
  // valid UTF-8 by chance.
  ["Café Ltd", "Café Ltd"],
  ["Łask Ltd", "Łask Ltd"],
  ["CAFÉ’ Ltd", "CAFÉ’ Ltd"],
])("%j is read as %j, repaired where its UTF-8 was misread", (given, text) => {
  expect(queryText("").settle?.(given)).toBe(text);
});
