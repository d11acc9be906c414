/** Calendar dates: the forms in which sources write them, and how they are shown. No times or time zones. */
import { remember } from "./remember.ts";

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

// Not by `Date`: loads read millions of dates, and a `Date` object for each takes five times as long.
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// Limit: `parseDate` takes no earlier day. There is no latest day, because 9999-12-31 means "without an end".
const EARLIEST = "1000-01-01";

const DIGIT_ZERO = "0".charCodeAt(0);

const FORMS = [
  { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, year: 3, month: 2, day: 1 },
  { pattern: /^(\d{4})-(\d{2})-(\d{2})$/, year: 1, month: 2, day: 3 },
  { pattern: /^(\d{4})(\d{2})(\d{2})$/, year: 1, month: 2, day: 3 },
] as const;

/**
 * Reads `dd/mm/yyyy` (leading zeros optional), `yyyy-mm-dd` or `yyyymmdd` as `yyyy-mm-dd`. Null for a day that the
 * calendar does not have, for a day before the year 1000 and for any other text.
 */
export const parseDate = remember((text): string | null => {
  const day = parseDayOfAnyYear(text);
  return day !== null && day >= EARLIEST ? day : null;
});

/** As `parseDate`, but takes every year from 1. */
export function parseDayOfAnyYear(text: string): string | null {
  const trimmed = text.trim();
  for (const form of FORMS) {
    const match = form.pattern.exec(trimmed);
    if (!match) continue;
    const [year, month, day] = [Number(match[form.year]), Number(match[form.month]), Number(match[form.day])];
    return year >= 1 && day >= 1 && day <= lastDayOf(year, month)
      ? `${match[form.year]}-${pad(month)}-${pad(day)}`
      : null;
  }
  return null;
}

/** True for a day, `yyyy-mm-dd`. Reads characters: records have a dozen days, and a pattern takes six times as long. */
export function isDay(text: string): boolean {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return false;
  const year = numberAt(text, 0, 4);
  const day = numberAt(text, 8, 10);
  return year >= 0 && day >= 1 && day <= lastDayOf(year, numberAt(text, 5, 7));
}

/** The number written in `text` from `start` to before `end`; NaN if a character there is not a digit. */
function numberAt(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - DIGIT_ZERO;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
}

function lastDayOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && !isLeap ? 28 : (MONTH_DAYS[month - 1] ?? 0);
}

// Limit: a later date of an event is taken for a typing error.
const FAR_AWAY = "2100-01-01";

/** True for a date `yyyy-mm-dd` too late for any event. Not for ends, where 9999-12-31 means "without an end". */
export function isTooLate(date: string): boolean {
  return date >= FAR_AWAY;
}

/** Writes `2005-12-21` as `21 December 2005`. */
export function formatLongDate(date: string): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** Writes the month and year of a birth date as `March 1947`. */
export function formatMonthYear(date: { month: number; year: number }): string {
  return `${MONTHS[date.month - 1]} ${date.year}`;
}

/** The date some days later (or earlier, when negative): `addDays("2026-03-01", -1)` is `2026-02-28`. */
export function addDays(date: string, days: number): string {
  return toDay(new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000));
}

/** The UTC day of a moment. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** A text that sorts dates latest first, absent ones last. It is for sort keys whose other parts are ascending. */
export function descendingKey(date: string | undefined): string {
  return date ? complementOf(date) : "~";
}

const complementOf = remember((date) => date.replace(/\d/g, (digit) => String(9 - Number(digit))));

interface Ended {
  ceased_on?: string | undefined;
}

/** Sorts previous names: the name that ended last comes first, names without an end come last. */
export function byNewestEnd(a: Ended, b: Ended): number {
  return (b.ceased_on ?? "").localeCompare(a.ceased_on ?? "");
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
