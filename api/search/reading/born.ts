/** Owns dates of birth in a query: `born March 1970`, `12/03/1970`, `1970-03`, `1970`. Pure. */

/** A year of birth, and the month if it is given. */
export interface Birth {
  year: string;
  /** Two digits. */
  month: string | null;
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const MONTH_NAME =
  "(?:JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)";
const YEAR = "(?<year>(?:18|19|20)\\d\\d)";
const LABEL = "(?:(?:DATE\\s+OF\\s+BIRTH|D\\.?\\s?O\\.?\\s?B\\.?|BORN(?:\\s+(?:ON|IN))?|BN?\\.)[\\s:.]*)?";

// The fullest form first: each contains the next.
const FORMS = [
  `(?:\\d{1,2}(?:ST|ND|RD|TH)?[\\s-]+)?(?<name>${MONTH_NAME})\\.?[\\s,-]+(?:\\d{1,2},?\\s+)?${YEAR}`,
  `\\d{1,2}[/.-](?<month>\\d{1,2})[/.-]${YEAR}`,
  `${YEAR}[/.-](?<month>\\d{2})(?:[/.-]\\d{2})?`,
  `(?<month>\\d{1,2})[/.-]${YEAR}`,
  YEAR,
].map((form) => new RegExp(`${LABEL}(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`, "u"));

/** Removes a date of birth from a folded query; a space takes its place. */
export function takeBirth(folded: string): { born: Birth | null; text: string } {
  for (const form of FORMS) {
    const groups = form.exec(folded)?.groups;
    const month = groups && monthOf(groups);
    if (!groups?.year || month === undefined) continue;
    return { born: { year: groups.year, month }, text: folded.replace(form, " ") };
  }
  return { born: null, text: folded };
}

/** Two digits; null when no month is given, undefined when there is no such month. */
function monthOf({ name, month }: Record<string, string | undefined>): string | null | undefined {
  const number = name ? MONTHS.indexOf(name.slice(0, 3)) + 1 : Number(month ?? 0);
  if (!name && month === undefined) return null;
  return number >= 1 && number <= 12 ? String(number).padStart(2, "0") : undefined;
}
