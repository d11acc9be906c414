/**
 * Owns the reading of API-shaped members by the JSON Schemas that name them, at every depth, before a record is checked: its
 * looser forms, members that no schema names, days that cannot be right, words of no list. Pure.
 */
import { RecordError } from "../runtime/errors.ts";
import { isFarAway, parseDate, parseDayOfAnyYear } from "../values/dates.ts";
import { readWord } from "../values/enumerations.ts";
import { isMembers, pickMembers, type Members } from "../values/members.ts";
import type { JsonSchema } from "./validate.ts";

/** Stands for the schema of a member that is known and not stored: the record's address or another member says the same. */
export const DERIVED = false;

type Warn = (warning: string) => void;

/** The members as they are read; `warn` is given the dotted path of each value that is left out, and why. */
export type ReadMembers = (members: Members, warn: Warn) => Members;

/** Undefined leaves the value out. What it cannot read it returns as it came, for the check of the record. */
type Read = (value: unknown, field: string, warn: Warn) => unknown;

// Without its end, what has ended would be shown as lasting: an impossible one refuses the record.
const ENDS: ReadonlySet<string> = new Set(["ceased_on", "ceased_to_act_on", "exempt_to"]);
// Like those they may lie far ahead, or stand for no end.
const NEEDED_ENDS: ReadonlySet<string> = new Set(["disqualified_until", "expires_on"]);
// Of the other days these alone may be open.
const MAY_BE_OPEN = "_end_on";
const OPEN_END = "9999-12-31";
// Of old filings it is in milliseconds, which their record reads.
const MAY_BE_MOMENT = "action_date";

/**
 * Makes the function that reads by these schemas, which together name every member. Only their `properties`, `items`, `required`,
 * types, days and lists of words are used; `{}` is for a value that is read elsewhere. Paths have no places in lists, so that the
 * same member of many items is told in the same words.
 * - A list may come as its only item, an object or a word as a list of one, a number as digits, a flag as 0 or 1, a day in any
 *   form that `parseDate` knows.
 * - Left out without a warning: a flag that is only ever true, where it is false, and an empty list or object that is not required.
 * - Left out with a warning: a member that no schema names, an empty list in place of an object, what is no object in place of
 *   one of which nothing is stored, and a day that is not required and is none of the calendar or too far away.
 * - Refused: a day on which something has happened, that is required and too far away. Throws RecordError.
 * - A word of a list is read as the list has it, whatever its letters; each that is not on it is told, and stays (`readWord`).
 *
 * `readOther`: reads texts, and what has no schema. Default: as they came.
 */
export function compileReader(
  schemas: readonly JsonSchema[],
  readOther: Read = (value) => value,
): ReadMembers {
  const read = objectReader(schemas.filter(namesMembers), readOther);
  return (members, warn) => read(members, "", warn) as Members;
}

function readerOf(schemas: readonly unknown[], readOther: Read, isNeeded: boolean): Read {
  if (schemas.includes(DERIVED)) return leaveOut;
  const given = schemas.filter(isMembers);
  const items = given.map((schema) => (isMembers(schema.items) ? schema.items : schema));
  const mayBeList = items.some((item, index) => item !== given[index]);
  const read = items.every(namesMembers)
    ? objectReader(items, readOther, mayBeList)
    : valueReader(items, readOther, isNeeded);
  return given.some(({ type }) => type === "array") ? listReader(read) : read;
}

type ObjectSchema = { properties: Members; required?: readonly string[] };

function leaveOut(): undefined {
  return undefined;
}

function namesMembers(schema: Members): schema is ObjectSchema {
  return isMembers(schema.properties);
}

function objectReader(schemas: readonly ObjectSchema[], readOther: Read, mayBeList = false): Read {
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const names = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
  const isNeeded = (name: string) => required.has(name) || ENDS.has(name);
  const readers = new Map(
    [...names].map((name) => {
      const own = schemas.flatMap(({ properties }) => (name in properties ? [properties[name]] : []));
      return [name, readerOf(own, readOther, isNeeded(name))];
    }),
  );
  const isDerived = [...readers.values()].every((read) => read === leaveOut);
  return (value, field, warn) => {
    const given: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (!isMembers(given)) {
      if (isDerived || (isEmpty(given) && !mayBeList)) warn(`${field} left out: not an object`);
      return isDerived ? undefined : given;
    }
    const path = field && `${field}.`;
    const names = Object.keys(given);
    let members = given;
    for (const name of names) {
      const value = given[name];
      if (value === undefined) continue;
      const read = readers.get(name);
      if (!read) warn(`${path}${name}: is not a member of this kind, ignored`);
      const own = read?.(value, path + name, warn);
      const kept = isEmpty(own) && !isNeeded(name) ? undefined : own;
      // A copy begins with the first member that is not as it came, which nearly no row has.
      if (members === given && kept !== value)
        members = pickMembers(given, names.slice(0, names.indexOf(name)));
      if (members !== given && kept !== undefined) members[name] = kept;
    }
    return members;
  };
}

function listReader(read: Read): Read {
  return (value, field, warn) => {
    const given: unknown[] = Array.isArray(value) ? value : [value];
    const items = given
      .map((item) => read(item, field, warn))
      .filter((item) => item !== undefined && !isEmpty(item));
    return given === value && isSame(items, given) ? value : items;
  };
}

function valueReader(schemas: readonly Members[], readOther: Read, isNeeded: boolean): Read {
  if (schemas.every(({ format }) => format === "date")) return isNeeded ? readNeededDay : readOptionalDay;
  const words = schemas.flatMap(wordsOf);
  if (words.length > 0) return wordReader(new Set(words), schemas.flatMap(formsOf).some(isListSchema));
  if (schemas.some((schema) => schema.const === true)) return leaveOutFalse;
  if (schemas.some(({ type }) => type === "boolean")) return readFlag;
  if (schemas.some(({ type }) => type === "integer")) return readNumber;
  return readOther;
}

/** `hasLists`: several words are a value, too. */
function wordReader(known: ReadonlySet<unknown>, hasLists: boolean): Read {
  return (value, field, warn) => {
    const isOnly = Array.isArray(value) && value.length === 1 && !hasLists;
    if (isOnly || !Array.isArray(value)) return readWord(field, isOnly ? value[0] : value, known, warn);
    const words = value.map((word: unknown) => readWord(field, word, known, warn));
    return isSame(words, value) ? (value as unknown) : words;
  };
}

/** The words of a list (`enumerationSchema`); none for any other schema. */
function wordsOf(schema: Members): unknown[] {
  const words = formsOf(schema).flatMap((form) => form.enum ?? wordsOf(form));
  return isMembers(schema.items) ? [...words, ...wordsOf(schema.items)] : words;
}

function formsOf({ anyOf }: Members): Members[] {
  return Array.isArray(anyOf) ? anyOf.filter(isMembers) : [];
}

function isListSchema({ type }: Members): boolean {
  return type === "array";
}

/** Another text stays, for the check of the record to refuse. */
function readNeededDay(value: unknown, field: string): unknown {
  const day = readDay(value);
  const name = field.slice(field.lastIndexOf(".") + 1);
  const mayLieAhead = ENDS.has(name) || NEEDED_ENDS.has(name);
  if (day && isFarAway(day) && !mayLieAhead) throw new RecordError(`is too far in the future: ${day}`, field);
  return day ?? value;
}

function readOptionalDay(value: unknown, field: string, warn: Warn): unknown {
  if (typeof value === "number" && field.endsWith(MAY_BE_MOMENT)) return value;
  const day = readDay(value);
  if (day !== null && !isFarAway(day)) return day;
  if (day === OPEN_END && field.endsWith(MAY_BE_OPEN)) return day;
  warn(`${field}: ${day ? "too far in the future" : "not a valid date"}, dropped`);
  return undefined;
}

/**
 * The day that a text means, null for one of no calendar and for what is no text.
 * Compat: the register has days of the first thousand years (ceased in the year 224); they are shown unchanged.
 */
function readDay(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return /^0\d{3}-\d\d-\d\d$/.test(value) ? parseDayOfAnyYear(value) : parseDate(value);
}

// Old files and some services write flags so.
const FLAGS = new Map<unknown, boolean>([
  ...[1, "1", "true"].map((word) => [word, true] as const),
  ...[0, "0", "false"].map((word) => [word, false] as const),
]);

function readFlag(value: unknown): unknown {
  return FLAGS.get(value) ?? value;
}

function leaveOutFalse(value: unknown): unknown {
  const flag = readFlag(value);
  return flag === false ? undefined : flag;
}

function readNumber(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
