import { describe, expect, it } from "@jest/globals";
import {
  addDays,
  byNewestEnd,
  descendingKey,
  formatLongDate,
  isDay,
  parseDate,
  parseDayOfAnyYear,
} from "../../../api/shared/values/dates.ts";

describe("parseDate", () => {
  it.each([
    ["03/05/2018", "2018-05-03"],
    ["3/5/2018", "2018-05-03"],
    [" 2015-03-12 ", "2015-03-12"],
    ["20261101", "2026-11-01"],
    ["99991231", "9999-12-31"],
    ["29/02/2020", "2020-02-29"],
  ])("reads %s as %s", (text, date) => {
    expect(parseDate(text)).toBe(date);
  });

  it.each(["31/02/2020", "203/04/2017", "19991332", "29/02/2019", "0001-01-01", "yesterday", ""])(
    "refuses %p",
    (text) => {
      expect(parseDate(text)).toBeNull();
    },
  );
});

it("reads days of any year if asked to", () => {
  expect(parseDayOfAnyYear("0001-01-01")).toBe("0001-01-01");
  expect(parseDayOfAnyYear("31/12/0999")).toBe("0999-12-31");
  expect(parseDayOfAnyYear("0000-01-01")).toBeNull();
  expect(parseDayOfAnyYear("0001-02-29")).toBeNull();
});

it.each(["2026-11-01", "2020-02-29", "2000-02-29", "9999-12-31", "0000-01-01"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

it.each([
  ...["2019-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-01"],
  ...["202a-01-01", "2026-01-0:", "2026/01/01", "2026-01-01T", " 2026-01-1", "２０２６-01-01", ""],
])("%p is not a day", (text) => {
  expect(isDay(text)).toBe(false);
});

it("writes a date in words without padding the day", () => {
  expect(formatLongDate("2005-02-01")).toBe("1 February 2005");
});

it("counts days across the end of a month", () => {
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});

it("turns later dates into lower keys, and no date into the last key", () => {
  const keys = [undefined, "2020-01-01", "2021-01-01"].map(descendingKey).sort();
  expect(keys).toEqual([descendingKey("2021-01-01"), descendingKey("2020-01-01"), descendingKey(undefined)]);
});

it("sorts former names by their end, latest first, names without an end last", () => {
  const ends = ["2005-01-01", undefined, "2010-06-01", undefined, "2010-05-31"];
  const sorted = ends.map((ceased_on) => ({ ceased_on })).toSorted(byNewestEnd);
  expect(sorted.map(({ ceased_on }) => ceased_on)).toEqual([
    ...["2010-06-01", "2010-05-31", "2005-01-01"],
    ...[undefined, undefined],
  ]);
});
