/** Dates of birth in a query. */
import { expect, test } from "@jest/globals";
import { takeBirth } from "../../../../api/search/reading/facts.ts";
import { foldText } from "../../../../index-mappings/names/text.ts";

test.each<[q: string, born: string | null, left: string]>([
  ["Harold Nomanby born March 1970", "1970-03", "HAROLD NOMANBY"],
  ["born on 12 March 1970 Nomanby", "1970-03", "NOMANBY"],
  ["12th Mar. 1970", "1970-03", ""],
  ["March 12, 1970", "1970-03", ""],
  ["12-Mar-1970", "1970-03", ""],
  ["Sept 1970", "1970-09", ""],
  ["Nomanby 12/03/1970", "1970-03", "NOMANBY"],
  ["DOB: 12.03.1970", "1970-03", ""],
  ["D.O.B. 1/5/1970", "1970-05", ""],
  ["date of birth 1970-03-12", "1970-03", ""],
  ["1970-03", "1970-03", ""],
  ["03/1970", "1970-03", ""],
  ["Nomanby b. 1970", "1970", "NOMANBY"],
  ["born in 1970", "1970", ""],
  ["Harold Nomanby 1862", "1862", "HAROLD NOMANBY"],
  // No thirteenth month: the year is left.
  ["Nomanby 12/13/1970", "1970", "NOMANBY 12/13/"],
  // A forename, unless it stands before the year.
  ["May Nomanby", null, "MAY NOMANBY"],
  ["May Nomanby 1970", "1970", "MAY NOMANBY"],
  ["Nomanby May 1970", "1970-05", "NOMANBY"],
  ["Dob Nomanby 1970", "1970", "DOB NOMANBY"],
  ["Harold Nomanby 2100", null, "HAROLD NOMANBY 2100"],
  ["19700312", null, "19700312"],
  ["the 1970s", null, "THE 1970S"],
  ["August Nomanby", null, "AUGUST NOMANBY"],
])("%s", (q, expected, left) => {
  const { born, text } = takeBirth(foldText(q));
  expect(born && [born.year, born.month].filter(Boolean).join("-")).toBe(expected);
  expect(text.replace(/\s+/g, " ").trim()).toBe(left);
});
