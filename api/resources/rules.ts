/** Owns the rules that read loosely typed members: a value in canonical form or nothing, with a warning for each dropped one. */
import { addressSchema, normaliseAddress, type Address } from "../shared/values/address.ts";
import { isFarAway, parseDate } from "../shared/values/dates.ts";
import { isMembers, type Members } from "../shared/values/members.ts";

/** The object that a value is a member of. */
interface Around {
  raw: Members;
  /** What has been read of it so far. */
  read: Members;
  /** Where it stands, `accounts.`; empty for the whole. */
  path: string;
  warnings: string[];
}

/** `field`: name of the value in its object, for warnings. */
export type Rule<T = unknown> = (value: unknown, field: string, around: Around) => T | undefined;

type Read<R extends Record<string, Rule>> = {
  [Member in keyof R]?: Exclude<ReturnType<R[Member]>, undefined>;
};

// Begins only where blanks do: from each of a million blanks it would try all that follow.
const LINE_BREAKS = /(?<!\s)\s*[\r\n\t]\s*/g;
const HAS_LINE_BREAK = /[\r\n\t]/;

/**
 * Adds a warning about a dropped value and returns undefined. Loads count equal
 * warnings, so the reason contains no value that differs from row to row.
 */
export function drop({ path, warnings }: Around, field: string, why: string): undefined {
  warnings.push(`${path}${field} left out: ${why}`);
}

/** Ends trimmed, line breaks to one space; inner double spaces are kept, they are part of a registered name. */
export const text: Rule<string> = (value, field, around) => {
  const isOther = typeof value === "boolean" || (typeof value === "object" && value !== null);
  return isOther ? drop(around, field, "not a text") : asText(value);
};

/** The same without a warning: nothing for what is neither a text nor a number. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const trimmed = value.trim();
  if (trimmed === "") return undefined;
  return HAS_LINE_BREAK.test(trimmed) ? trimmed.replace(LINE_BREAKS, " ") : trimmed;
}

/** A date in any form that `parseDate` knows, unless its year is implausible. */
export const date: Rule<string> = (value, field, around) => {
  const given = value === "" ? undefined : text(value, field, around);
  if (given === undefined) return undefined;
  const day = parseDate(given);
  if (day === null) return drop(around, field, "not a valid date");
  return isFarAway(day) ? drop(around, field, "the date is too far in the future") : day;
};

/** `true`, `false`, or their text. */
export const flag: Rule<boolean> = (value, field, around) => {
  if (typeof value === "boolean") return value;
  const given = text(value, field, around)?.toLowerCase();
  if (given === undefined) return undefined;
  if (given === "true" || given === "false") return given === "true";
  return drop(around, field, "not true or false");
};

/** A whole number given as a number or as text, with or without leading zeros. */
export function whole(from: number, to: number): Rule<number> {
  return (value, field, around) => {
    const given = text(value, field, around);
    if (given === undefined) return undefined;
    const number = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
    if (number >= from && number <= to) return number;
    return drop(around, field, `not a whole number from ${from} to ${to}`);
  };
}

/** Month and year of birth, and the day where it is known. Years from 2100 on cannot be, nor can 0 and 9999, which mean "unknown". */
export const birthDate: Rule<{ day?: number; month: number; year: number }> = (value, field, around) => {
  if (value === undefined) return undefined;
  const members = isMembers(value) ? birthMembers(value, field, around) : undefined;
  const { month, year, ...day } = members ?? {};
  return month && year ? { ...day, month, year } : drop(around, field, "not a month and a year");
};

/** The value of another member where there is none. */
export function orElse<T>(member: string, rule: Rule<T>): Rule<T> {
  return (value, field, around) => rule(value ?? around.raw[member], field, around);
}

/** An object, read no further. */
export const object: Rule<Members> = (value, field, around) => {
  if ((value ?? "") === "") return undefined;
  return isMembers(value) ? value : drop(around, field, "not an object");
};

/** The members of an object that have a value; nothing when none has. `needed`: the first one, without which none counts. */
export function membersOf<R extends Record<string, Rule>, Needed extends keyof R = never>(
  rules: R,
  needed?: Needed,
): Rule<Read<R> & { [Member in Needed]: Exclude<ReturnType<R[Member]>, undefined> }> {
  const read = readerOf(rules, needed as string | undefined);
  return (value, field, around) => {
    const given = object(value, field, around);
    if (given === undefined) return undefined;
    const { path, warnings } = around;
    const members: Members = {};
    // The casts here and above: the members have been read by these rules.
    return read(members, given, warnings, `${path}${field}.`) ? (members as never) : undefined;
  };
}

/** Makes the function that adds the members of an object that have a value to `read`; true when it added any. */
export function readerOf(rules: Record<string, Rule>, needed?: string) {
  const entries = Object.entries(rules).map(([member, rule]) => ({ member, rule }));
  return (read: Members, raw: Members, warnings: string[], path = ""): boolean => {
    const around = { raw, read, path, warnings };
    let isAny = false;
    // A plain loop: this runs a dozen times for each row of a load of millions.
    for (const { member, rule } of entries) {
      const value = rule(raw[member], member, around);
      if (value !== undefined) {
        read[member] = value;
        isAny = true;
      } else if (member === needed) return false;
    }
    return isAny;
  };
}

/** The members, those with a rule as it reads them. */
export function rereaderOf(rules: Record<string, Rule>) {
  const read = readerOf(rules);
  return (members: Members, warnings: string[]): Members => {
    const reread: Members = {};
    for (const member of Object.keys(members)) if (!(member in rules)) reread[member] = members[member];
    read(reread, members, warnings);
    return reread;
  };
}

/** The items of a list that have a value; a single object counts as a list of one. */
export function itemsOf<T>(rule: Rule<T>): Rule<T[]> {
  return (value, field, around) => {
    if (value === undefined) return undefined;
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const read = items.flatMap((item) => rule(item, field, around) ?? []);
    return read.length > 0 ? read : undefined;
  };
}

/** An address in the stored form of all addresses. */
export const address: Rule<Address> = (value, field, around) => {
  const members = addressMembers(value, field, around);
  return members && (normaliseAddress(members) ?? undefined);
};

const addressMembers = membersOf(
  Object.fromEntries(Object.keys(addressSchema.properties).map((member) => [member, text])),
);
const birthMembers = membersOf({ day: whole(1, 31), month: whole(1, 12), year: whole(1000, 2099) });

/** The members of a person in answers that must not refuse a record. */
export const readPerson = rereaderOf({
  ...{ address, principal_office_address: address },
  date_of_birth: birthDate,
});
