/** What the bulk files about people have in common: texts in upper case, dates as written, no value as "". */
import { RecordError } from "../shared/runtime/errors.ts";
import { normaliseAddress, type Address } from "../shared/values/address.ts";
import { isTooLate, parseDate } from "../shared/values/dates.ts";
import { toTitleCase } from "../shared/values/letter-case.ts";

/** A person or a body, as a line of a bulk file has it. */
export interface BulkPerson {
  /** Twelve digits. */
  person_number: string;
  birth_date: string;
  title: string;
  forenames: string;
  /** A body's whole name. */
  surname: string;
  honours: string;
  nationality: string;
  care_of?: string;
  po_box?: string;
  address_line_1: string;
  address_line_2: string;
  post_town: string;
  county: string;
  country: string;
  postcode: string;
}

/** Throws RecordError for a person without a number or a name. `nameMember`: where the surname would be stored. */
export function requireIdentity({ person_number, surname }: BulkPerson, nameMember = "surname"): void {
  if (!/^\d{12}$/.test(person_number)) throw new RecordError("is not twelve digits", "person_number");
  if (surname === "") throw new RecordError("is empty", nameMember);
}

/** The date as `YYYY-MM-DD`; empty, with a warning, if it cannot be right: the rest of the record is still useful. */
export function readDate(text: string, member: string, warnings: string[]): string {
  if (text === "") return "";
  const date = parseDate(text);
  if (date && !isTooLate(date)) return date;
  warnings.push(`${member} left out: ${date ? "too far in the future" : "not a valid date"}`);
  return "";
}

/**
 * A date without which the record would be wrong. Throws RecordError if it is not valid. `isEvent`: something happened
 * on that day, so a far future is refused as well. Other dates may be far away: disqualifications may end in 9999.
 */
export function requireDate(text: string, member: string, { isEvent = false } = {}): string {
  const date = parseDate(text);
  if (!date) throw new RecordError(`is not a valid date: ${text || "(blank)"}`, member);
  if (isEvent && isTooLate(date)) throw new RecordError(`is too far in the future: ${text}`, member);
  return date;
}

/** The address as it is stored; null when the file has no part of it. */
export function normaliseBulkAddress(raw: BulkPerson): Address | null {
  return normaliseAddress({
    care_of: toTitleCase(raw.care_of ?? ""),
    po_box: raw.po_box,
    address_line_1: toTitleCase(raw.address_line_1),
    address_line_2: toTitleCase(raw.address_line_2),
    locality: toTitleCase(raw.post_town),
    region: toTitleCase(raw.county),
    country: toTitleCase(raw.country),
    postal_code: raw.postcode,
  });
}
