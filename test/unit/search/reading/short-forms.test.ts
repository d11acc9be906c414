/** Short forms of forenames, and ST for SAINT. */
import { expect, test } from "@jest/globals";
import { otherFormsOf, withOtherSaint } from "../../../../api/search/reading/short-forms.ts";

test.each([
  ["JAMES", ["JIM", "JIMMY", "JAMIE"]],
  ["JIM", ["JAMES"]],
  ["CHRIS", ["CHRISTINA", "CHRISTINE", "CHRISTOPHER"]],
  // An abbreviation stands for a forename, but no forename is searched as its abbreviation.
  ["WM", ["WILLIAM"]],
  ["ARCHIBALD", []],
  ["ODILE", []],
])("the other forms of %s are %j", (forename, forms) => {
  expect(otherFormsOf(forename)).toEqual(forms);
});

test.each([
  ["Saint Tarn", ["ST Tarn"]],
  ["St Tarn", ["SAINT  Tarn"]],
  ["St.Tarn", ["SAINT Tarn"]],
  ["Tarn St", []],
  ["Stan Tarn", []],
])("the query %j with its other SAINT is %j", (q, others) => {
  expect(withOtherSaint(q)).toEqual(others);
});
