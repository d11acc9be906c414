/** Recognises a date of birth in a query, in many forms, and removes it from the text. Pure. */
import { parsePersonParts } from "../../../index-mappings/names/person-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import { BETWEEN_PARTS } from "./person-parts.ts";

/** A date of birth in a query: `born March 1970`, `12/03/1970`, `1970-03`, `1970`. Only the year is always given. */
export interface Birth {
  /** Two years if the century is not given: 1985 and 2085 for `12/03/85`. */
  years: string[];
  /** Two digits. */
  month: string | null;
  /** Two digits; null above 31, and for the first of a month, since spreadsheets write `March 1970` as `01/03/1970`. */
  day: string | null;
}

const DIGIT = /\d/;
const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
/** Names of months in a folded text, whole and abbreviated. */
export const MONTH_NAME =
  "(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)";
const YEAR = "(?<year>(?:18|19|20)\\d\\d)";
// `12/03/85`, `March '85`
const SHORT_YEAR = "'?(?<short>\\d\\d)";
const CENTURIES = ["19", "20"];
const MOST_DAYS = 31;
const DAY = "(?<day>0?[1-9]|[12]\\d|3[01])(?:ST|ND|RD|TH)?";
// A label begins a word. It must not be the end of a surname: OSBORN, WEBB.
const BEGINS = "(?<![\\p{L}\\p{N}])";
const BIRTH_LABEL =
  `${BEGINS}(?:DATE\\s+OF\\s+BIRTH|BIRTH\\s*DATE|D\\.?\\s?O\\.?\\s?B\\.?|` +
  `BORN(?:\\s+(?:ON|IN))?(?:\\s+THE)?)[\\s:.]*`;
const LABEL = `(?:${BIRTH_LABEL}|${BEGINS}BN?\\.[\\s:.]*)?`;

// A day after the month: `March 15th, 1970`, `1970-Mar-15`.
const DAY_OF_MONTH = "(?<day>\\d{1,2})(?:ST|ND|RD|TH)?";
const DAY_BEHIND = DAY_OF_MONTH.replace("day", "behind");
const MONTH_NUMBER = "(?<month>0?[1-9]|1[0-2])";

// The most complete form first, because the text of a form may contain a shorter one.
const FORMS = [
  `(?:${DAY_OF_MONTH}[\\s-]+(?:OF\\s+)?)?(?<name>${MONTH_NAME})\\.?[\\s,-]+(?:${DAY_BEHIND},?\\s+|OF\\s+)?${YEAR}`,
  `${YEAR}[\\s,/.-]+(?<name>${MONTH_NAME})(?:\\.?[\\s/-]+${DAY_OF_MONTH})?`,
  `(?<day>\\d{1,2})[/.-](?<month>\\d{1,2})[/.-]${YEAR}`,
  `(?<!\\d\\s)${DAY}\\s${MONTH_NUMBER}\\s${YEAR}`,
  `${YEAR}[/.-](?<month>\\d{1,2})(?:[/.-](?<day>\\d{1,2}))?`,
  `(?<month>\\d{1,2})[/.-]${YEAR}`,
  `${DAY}[\\s-]+(?:OF\\s+)?(?<name>${MONTH_NAME})\\.?[\\s,-]+${SHORT_YEAR}`,
  `${DAY}[/.-](?<month>\\d{1,2})[/.-]${SHORT_YEAR}`,
  // Without a day only where nothing else can be meant: MAY may be a surname, and 62 the number of a house.
  `(?<=${BIRTH_LABEL})(?<name>${MONTH_NAME})\\.?\\s+${SHORT_YEAR}`,
  `^(?<name>${MONTH_NAME})\\.?\\s+${SHORT_YEAR}$`,
  `(?<name>${MONTH_NAME})\\.?(?:-|\\s+(?='))${SHORT_YEAR}`,
  `(?<=${BIRTH_LABEL})${MONTH_NUMBER}(?:[/-]${SHORT_YEAR}|\\s${YEAR})`,
  `^${MONTH_NUMBER}[/-]${SHORT_YEAR}$`,
  YEAR,
].map((form) => new RegExp(`${LABEL}${BEGINS}${form}(?![\\p{L}\\p{N}])`, "u"));

// A month and a year, with neither a day nor a label: `Theresa May 1956`.
const MONTH_AND_YEAR = new RegExp(`^\\s*${MONTH_NAME}[\\s,]+${YEAR}$`, "u");

/** A date of birth, and the text without it. */
interface BirthTaken {
  born: Birth | null;
  /** The text with a space in place of the date. */
  text: string;
  /** The text with the month, if that is as likely a name, because one other word is left: `Theresa May 1956`. */
  withMonth: string | null;
}

/** Removes a date of birth from a folded query. */
export function takeBirth(folded: string): BirthTaken {
  const nothing = { born: null, text: folded, withMonth: null };
  if (!DIGIT.test(folded)) return nothing;
  for (const form of FORMS) {
    const found = form.exec(folded);
    const month = found?.groups && monthOf(found.groups);
    if (!found?.groups || month === undefined) continue;
    const { year, short = "", name = "", behind = "", day = behind } = found.groups;
    const years = year === undefined ? CENTURIES.map((century) => century + short) : [year];
    const withMonth = isOneWordBeside(found) ? folded.replace(form, ` ${name} `) : null;
    return {
      born: { years, month, day: Number(day) > 1 && Number(day) <= MOST_DAYS ? day.padStart(2, "0") : null },
      text: folded.replace(form, " "),
      withMonth,
    };
  }
  return nothing;
}

/** True for a month and year next to a single word, before them or after them in the same part of the query. */
function isOneWordBeside({ 0: found, index, input }: RegExpExecArray): boolean {
  if (!MONTH_AND_YEAR.test(found)) return false;
  const [behind = ""] = input.slice(index + found.length).split(BETWEEN_PARTS);
  const beside = wordsOf(`${input.slice(0, index)} ${behind}`);
  return parsePersonParts([beside]).words.length === 1;
}

/** The possible months, or the possible years if no month is given, as the register writes them: `1970-03`. */
export function birthsOf({ years, month }: Birth): string[] {
  return month === null ? years : years.map((year) => `${year}-${month}`);
}

/** Two digits; null if no month is given, undefined if the number is not a month. */
function monthOf({ name, month }: Record<string, string | undefined>): string | null | undefined {
  const number = name ? MONTHS.indexOf(name.slice(0, 3)) + 1 : Number(month ?? 0);
  if (!name && month === undefined) return null;
  return number >= 1 && number <= 12 ? String(number).padStart(2, "0") : undefined;
}
