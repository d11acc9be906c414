/** Reads single incoming values by their schemas: days, words of lists, flags, numbers, texts. Pure. */
import { RecordError } from "../runtime/errors.ts";
import { isTooLate, parseDate, parseDayOfAnyYear } from "../values/dates.ts";
import { readWord } from "../values/enumerations.ts";
import { isMembers, type Members } from "../values/members.ts";

export type Warn = (warning: string) => void;

/** Reads a value; undefined leaves it out. An unreadable value is returned unchanged, for the check to refuse. */
export type Read = (value: unknown, field: string, warn: Warn) => unknown;

export interface Reading {
  /** Reads texts, and values without a schema. */
  readOther: Read;
  /** Values that do not fit are left out with a warning. */
  isLenient?: boolean;
}

// Required days that may lie far in the future, or be 9999-12-31 for "without an end".
const NEEDED_ENDS = /(^|\.)(ceased_on|ceased_to_act_on|exempt_to|disqualified_until|expires_on)$/;
// The only optional day that may be 9999-12-31.
const MAY_BE_OPEN = "verification_end_on";
const OPEN_END = "9999-12-31";
// Old filings have this day in milliseconds; their record converts it.
const MAY_BE_MOMENT = "action_date";

/** Runs `then` on the result of `first`, unless that is undefined. */
export function inTurn(first: Read, then: Read): Read {
  return (value, field, warn) => {
    const read = first(value, field, warn);
    return read === undefined ? undefined : then(read, field, warn);
  };
}

/** Makes the reader of a value without members. `isNeeded`: a record without the value would be refused, or wrong. */
export function valueReader(schemas: readonly Members[], how: Reading, isNeeded: boolean): Read {
  const { readOther } = how;
  const orLeftOut = (read: Read, isFit: (value: unknown) => boolean, why: string) =>
    how.isLenient ? inTurn(read, onlyIf(isFit, why)) : read;
  if (schemas.every(({ format }) => format === "date"))
    return isNeeded && !how.isLenient ? readNeededDay : readOptionalDay;
  const words = schemas.flatMap(wordsOf);
  const hasLists = schemas.flatMap(formsOf).some(isListSchema);
  if (words.length > 0)
    return orLeftOut(wordReader(new Set(words), hasLists, readOther), isText, "not a text");
  if (schemas.some((schema) => schema.const === true)) return leaveOutFalse;
  if (schemas.some(({ type }) => type === "boolean"))
    return orLeftOut(readFlag, (value) => typeof value === "boolean", "not true or false");
  const [whole] = schemas.filter(({ type }) => type === "integer");
  if (!whole) return readOther;
  const [from, to] = [Number(whole.minimum), Number(whole.maximum)];
  const isWithin = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
  return orLeftOut(readNumber, isWithin, `not a whole number from ${from} to ${to}`);
}

/** Makes a reader that leaves out, with a warning, values for which `isFit` is false. */
export function onlyIf<Value>(isFit: (value: Value) => boolean, why: string): Read {
  // The cast: the reader before this one returns values of this type.
  return (value, field, warn) => (isFit(value as Value) ? value : leaveOut(field, why, warn));
}

export function leaveOut(field: string, why: string, warn: Warn): undefined {
  warn(`${field} left out: ${why}`);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

export const onlyText = onlyIf(isPlain, "not a text");
export const readText: Read = (value, field, warn) =>
  isPlain(value) ? asText(value) : leaveOut(field, "not a text", warn);

/** `hasLists`: the value may also be a list of words. */
function wordReader(known: ReadonlySet<unknown>, hasLists: boolean, readOther: Read): Read {
  return (value, field, warn) => {
    const given: unknown = Array.isArray(value) && value.length === 1 && !hasLists ? value[0] : value;
    if (!Array.isArray(given)) return readWord(field, readOther(given, field, warn), known, warn);
    const words = given.map((word: unknown) => readWord(field, word, known, warn));
    return isSame(words, given) ? (given as unknown) : words;
  };
}

/** The words that a schema of `enumerationSchema` lists; none for any other schema. */
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

/** Throws RecordError for a day too far in the future. Other texts stay, so that the record's check refuses them. */
function readNeededDay(value: unknown, field: string): unknown {
  const day = readDay(value);
  if (day && isTooLate(day) && !NEEDED_ENDS.test(field))
    throw new RecordError(`is too far in the future: ${day}`, field);
  return day ?? value;
}

function readOptionalDay(value: unknown, field: string, warn: Warn): unknown {
  if (typeof value === "number" && field.endsWith(MAY_BE_MOMENT)) return value;
  const day = readDay(value);
  if (day !== null && !isTooLate(day)) return day;
  if (day === OPEN_END && field.endsWith(MAY_BE_OPEN)) return day;
  return leaveOut(field, day ? "too far in the future" : "not a valid date", warn);
}

/**
 * The day that a text means; null for an impossible day, and for a value that is not a text.
 * Compat: the register has days before the year 1000 (ceased in the year 224); they are shown unchanged.
 */
function readDay(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return parseDate(value) ?? (/^0\d{3}-\d\d-\d\d$/.test(value) ? parseDayOfAnyYear(value) : null);
}

// Old files and some services write flags in these forms.
const FLAGS = new Map<unknown, boolean>([
  ...[1, "1", "true"].map((word) => [word, true] as const),
  ...[0, "0", "false"].map((word) => [word, false] as const),
]);

function readFlag(value: unknown): unknown {
  return FLAGS.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? value;
}

function leaveOutFalse(value: unknown): unknown {
  const flag = readFlag(value);
  return flag === false ? undefined : flag;
}

function readNumber(value: unknown): unknown {
  return typeof value === "string" && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
}

export function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

// The lookbehind lets a match begin only at the start of a run. Otherwise a text of a million spaces would be searched
// again from each of its spaces.
const LINE_BREAKS = /(?<!\s)\s*[\r\n\t]\s*/g;
const HAS_LINE_BREAK = /[\r\n\t]/;

/**
 * Trims the ends, and turns each line break into one space. Inner double spaces stay, as they are part of a registered
 * name. Undefined for an empty text, and for a value that is neither a text nor a number.
 */
export function asText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const trimmed = value.trim();
  if (trimmed === "") return undefined;
  return HAS_LINE_BREAK.test(trimmed) ? trimmed.replace(LINE_BREAKS, " ") : trimmed;
}
