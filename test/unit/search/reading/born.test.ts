/** Dates of birth in a query. */
import { expect, test } from "@jest/globals";
import { birthsOf, takeBirth } from "../../../../api/search/reading/birth.ts";
import { foldText } from "../../../../index-mappings/names/text.ts";

test.each<[q: string, born: string | null, left: string]>([
  ["Harold Nomanby born March 1970", "1970-03", "HAROLD NOMANBY"],
  ["born on 12 March 1970 Nomanby", "1970-03", "NOMANBY"],
  ["12th Mar. 1970", "1970-03", ""],
  ["March 12, 1970", "1970-03", ""],
  ["Nomanby born March 12 1970 appointed May 2001", "1970-03", "NOMANBY APPOINTED MAY 2001"],
  ["Nomanby born 12 May 1970 appointed March 12 2001", "1970-05", "NOMANBY APPOINTED MARCH 12 2001"],
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
  ["12th of March 1985", "1985-03", ""],
  ["born the 12 of March, 1985", "1985-03", ""],
  ["White born on the 14th of May 1986", "1986-05", "WHITE"],
  ["White, birth date 05/1986", "1986-05", "WHITE,"],
  ["White born May of 1986", "1986-05", "WHITE"],
  ["White born in 05 1986", "1986-05", "WHITE"],
  ["White 05 1986", "1986", "WHITE 05"],
  // Years of two digits count after a day and a month, or if nothing else can be meant.
  ["John Nomanby DOB 12/03/85", "1985-03 or 2085-03", "JOHN NOMANBY"],
  ["12.3.85", "1985-03 or 2085-03", ""],
  ["12-Mar-85", "1985-03 or 2085-03", ""],
  ["Nomanby 12th of March '85", "1985-03 or 2085-03", "NOMANBY"],
  ["Nomanby born May 62", "1962-05 or 2062-05", "NOMANBY"],
  ["Nomanby born May 62, Leeds", "1962-05 or 2062-05", "NOMANBY , LEEDS"],
  ["B. May 62 High Street", null, "B. MAY 62 HIGH STREET"],
  ["May-62", "1962-05 or 2062-05", ""],
  ["May 62", "1962-05 or 2062-05", ""],
  ["Robert May 62 High Street", null, "ROBERT MAY 62 HIGH STREET"],
  ["Robert May, 12 High Street", null, "ROBERT MAY, 12 HIGH STREET"],
  ["70-03-12", null, "70-03-12"],
  ["12/13/85", null, "12/13/85"],
  ["12/03/85 1999", "1985-03 or 2085-03", "1999"],
  ["12/03/10", "1910-03 or 2010-03", ""],
  ["1970-3-12", "1970-03", ""],
  ["1970/3", "1970-03", ""],
  ["1970-Mar-15", "1970-03", ""],
  ["Nomanby 1970/March/15th", "1970-03", "NOMANBY"],
  ["1970 March", "1970-03", ""],
  ["1970, March 15", "1970-03", ""],
  ["March 15th, 1970", "1970-03", ""],
  ["15 03 1970", "1970-03", ""],
  ["Nomanby 15 03 1970", "1970-03", "NOMANBY"],
  ["1 15 03 1970", "1970", "1 15 03"],
  // Without a day they count only after a label, or if the query is nothing else.
  ["03/70", "1970-03 or 2070-03", ""],
  ["Nomanby born 3-70", "1970-03 or 2070-03", "NOMANBY"],
  ["Nomanby 3/70", null, "NOMANBY 3/70"],
  ["3/70 High Street", null, "3/70 HIGH STREET"],
  ["13/70", null, "13/70"],
  // The end of a surname is not a label.
  ["Jane Osborn 1965", "1965", "JANE OSBORN"],
  ["Osborn March 1965", "1965-03", "OSBORN"],
  ["Jane Osborn May 62", null, "JANE OSBORN MAY 62"],
  ["Jane Webb. 1965", "1965", "JANE WEBB."],
  ["Aldo B 1965", "1965", "ALDO B"],
  // There is no month 13 and no month 0, so only the year counts.
  ["Nomanby 12/13/1970", "1970", "NOMANBY 12/13/"],
  ["00/1970", "1970", "00/"],
  // A month is a forename unless it stands before the year.
  ["May Nomanby", null, "MAY NOMANBY"],
  ["August Nomanby", null, "AUGUST NOMANBY"],
  ["May Nomanby 1970", "1970", "MAY NOMANBY"],
  ["Nomanby May 1970", "1970-05", "NOMANBY"],
  ["Dob Nomanby 1970", "1970", "DOB NOMANBY"],
  // Years to come, digits alone and decades are no births.
  ["Harold Nomanby 2100", null, "HAROLD NOMANBY 2100"],
  ["19700312", null, "19700312"],
  ["the 1970s", null, "THE 1970S"],
])("%j is read as a birth in %j, which leaves %j", (q, expected, left) => {
  const { born, text } = takeBirth(foldText(q));
  expect(born && birthsOf(born).join(" or ")).toBe(expected);
  expect(text.replace(/\s+/g, " ").trim()).toBe(left);
});

test.each<[q: string, day: string | null]>([
  ["12 March 1970", "12"],
  ["2nd of March 1970", "02"],
  ["March 12th, 1970", "12"],
  ["1970-Mar-15", "15"],
  ["12/03/1970", "12"],
  ["15 03 1970", "15"],
  ["1970-3-2", "02"],
  ["12-Mar-85", "12"],
  ["12.3.85", "12"],
  ["31 March 1970", "31"],
  ["March 1970", null],
  ["1970-03", null],
  ["03/1970", null],
  ["1970", null],
  ["May-62", null],
  // A spreadsheet writes a month as its first day.
  ["01/03/1970", null],
  // No month has such a day.
  ["45 March 1985", null],
  ["1985-03-45", null],
])("the day of birth in %j is %j", (q, day) => {
  expect(takeBirth(foldText(q)).born?.day).toBe(day);
});
