/** Owns calendar dates: the forms they arrive in, and how they are said. Times and zones do not occur here. */
import { remember } from "./remember.ts";

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

// Loads read dates by the million, of which a `Date` each would take five times as long.
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// Limit: an earlier day is no date, except where those of any year are asked for; 9999-12-31 stands for "open".
const EARLIEST = "1000-01-01";

const DIGIT_ZERO = "0".charCodeAt(0);

const FORMS = [
  { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, year: 3, month: 2, day: 1 },
  { pattern: /^(\d{4})-(\d{2})-(\d{2})$/, year: 1, month: 2, day: 3 },
  { pattern: /^(\d{4})(\d{2})(\d{2})$/, year: 1, month: 2, day: 3 },
] as const;

/** `dd/mm/yyyy` (zeros optional), `yyyy-mm-dd` or `yyyymmdd` to `yyyy-mm-dd`; null for what is no day of the calendar. */
export const parseDate = remember((text): string | null => {
  const day = parseDayOfAnyYear(text);
  return day !== null && day >= EARLIEST ? day : null;
});

/** The same of any year from 1 on. */
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

/** True for `yyyy-mm-dd`. By its characters: each record has a dozen days to check, and a pattern takes six times as long. */
export function isDay(text: string): boolean {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return false;
  const year = numberAt(text, 0, 4);
  const day = numberAt(text, 8, 10);
  return year >= 0 && day >= 1 && day <= lastDayOf(year, numberAt(text, 5, 7));
}

/** The number that digits from `start` to before `end` make; NaN where others are among them. */
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

// Limit: what has happened lies before 2100; a later date is a slip of the keyboard.
const FAR_AWAY = "2100-01-01";

/** True for a date `yyyy-mm-dd` at which nothing on the register can have happened. An end of 9999 is another matter. */
export function isFarAway(date: string): boolean {
  return date >= FAR_AWAY;
}

/** `2005-12-21` to `21 December 2005`. */
export function formatLongDate(date: string): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** Month and year of a birth date to `March 1947`. */
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

/** A text that sorts as the dates in descending order, an absent one last: for sort keys that mix directions. */
export function descendingKey(date: string | undefined): string {
  return date ? complementOf(date) : "~";
}

const complementOf = remember((date) => date.replace(/\d/g, (digit) => String(9 - Number(digit))));

interface Ended {
  ceased_on?: string | undefined;
}

/** The order of previous names: the last to end first. Those of one end, or of none, are equals. */
export function byNewestEnd(a: Ended, b: Ended): number {
  if (a.ceased_on === b.ceased_on) return 0;
  return (a.ceased_on ?? "") < (b.ceased_on ?? "") ? 1 : -1;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
