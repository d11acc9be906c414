/** Owns the reading of loosely typed members: a value in canonical form or nothing, with a warning for each dropped value. */
import { isMembers } from "../../shared/values/members.ts";
import { isFarAway, parseDate } from "../../shared/values/dates.ts";

const LINE_BREAKS = /\s*[\r\n\t]+\s*/g;
const HAS_LINE_BREAK = /[\r\n\t]/;

/** Reads the members of one raw record and collects a warning for each value that it could not use. */
export class RawReader {
  readonly warnings: string[] = [];

  /** Ends trimmed, line breaks to one space; inner double spaces are kept, they are part of a registered name. */
  text(value: unknown): string | undefined {
    if (typeof value === "number") return String(value);
    if (typeof value !== "string") return undefined;
    const text = value.trim();
    if (text === "") return undefined;
    return HAS_LINE_BREAK.test(text) ? text.replace(LINE_BREAKS, " ") : text;
  }

  /** A date in any form that `parseDate` knows, unless its year is implausible. */
  date(value: unknown, field: string): string | undefined {
    if (value === undefined || value === null || value === "") return undefined;
    const text = this.text(value);
    if (text === undefined) return undefined;
    const date = parseDate(text);
    if (date === null) return this.drop(field, "not a valid date");
    return isFarAway(date) ? this.drop(field, "the date is too far in the future") : date;
  }

  /** One of a closed list, in lower case there. */
  choice(value: unknown, allowed: ReadonlySet<string>, field: string): string | undefined {
    const text = this.text(value);
    if (text === undefined || allowed.has(text)) return text;
    const lower = text.toLowerCase();
    if (allowed.has(lower)) return lower;
    // The warning contains the value: such words are few, and a new one matters.
    return this.drop(field, `"${text.slice(0, 50)}" is not on the list`);
  }

  /** `true`, `false`, or their text. */
  flag(value: unknown, field: string): boolean | undefined {
    if (typeof value === "boolean") return value;
    const text = this.text(value)?.toLowerCase();
    if (text === undefined) return undefined;
    if (text === "true" || text === "false") return text === "true";
    return this.drop(field, "not true or false");
  }

  /** A whole number given as a number or as text, with or without leading zeros. */
  whole(value: unknown, range: { from: number; to: number }, field: string): number | undefined {
    const text = this.text(value);
    if (text === undefined) return undefined;
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= range.from && number <= range.to) return number;
    return this.drop(field, `not a whole number from ${range.from} to ${range.to}`);
  }

  /**
   * Adds a warning about a dropped value and returns undefined. Loads count equal
   * warnings, so the reason contains no value that differs from row to row.
   */
  drop(field: string, why: string): undefined {
    this.warnings.push(`${field} left out: ${why}`);
    return undefined;
  }
}

/** The members that have a value; undefined when none has. */
export function compact<T extends object>(members: T): Compact<T> | undefined {
  const result: Partial<T> = {};
  let isEmpty = true;
  // A plain loop: this runs a dozen times for each row of a load of millions.
  for (const name in members) {
    if (members[name] === undefined) continue;
    result[name] = members[name];
    isEmpty = false;
  }
  return isEmpty ? undefined : (result as Compact<T>);
}

/** Adds the members that have a value to `target`, which it returns. */
export function addDefined<T extends object>(target: T, members: Loose<T>): T {
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) target[name] = value;
  }
  return target;
}

/** An object's members, none for anything else (null, a text, a list). */
export function membersOf(value: unknown): Record<string, unknown> {
  return isMembers(value) ? value : NO_MEMBERS;
}

/** A list's items; a single object counts as a list of one. */
export function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isMembers(value) ? [value] : NO_ITEMS;
}

/** The members of T, where undefined stands for absent. */
type Loose<T> = { [Name in keyof T]?: T[Name] | undefined };

type Compact<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const NO_MEMBERS: Record<string, unknown> = {};
const NO_ITEMS: unknown[] = [];
