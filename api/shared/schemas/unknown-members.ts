/**
 * Owns what is settled before a check, at every depth: members that no JSON Schema names, days that cannot be right, words of no
 * list. Pure.
 */
import { isFarAway, parseDate } from "../values/dates.ts";
import { readWord } from "../values/enumerations.ts";
import { isMembers, type Members } from "../values/members.ts";
import type { JsonSchema } from "./validate.ts";

/** What is said of such a member. */
export const NO_MEMBER = "is not a member of this kind";

/** The members without those that are left out; `warn` is given the dotted path of each of these, and why. */
export type LeaveOut = (members: Members, warn: (warning: string) => void) => Members;

/** The members that an object may have, each with its own; null for a value that the check of the record judges whole. */
interface Shape {
  members: ReadonlyMap<string, Shape | Value | null>;
  required: ReadonlySet<string>;
  /** True: it may come as a list. */
  isList: boolean;
}

/** A day, a day that the record cannot do without, or the words of a list. */
type Value = "day" | "needed day" | ReadonlySet<unknown>;

// Without its end, what has ended would be shown as lasting: an impossible one refuses the record.
const ENDS: ReadonlySet<string> = new Set(["ceased_to_act_on", "exempt_to"]);
const OPEN_END = "9999-12-31";

/**
 * Makes the function that leaves out what none of the schemas names. A list of objects and an object are taken for
 * each other, as API-shaped input does. Paths have no places in lists, so that the same member of many items is told
 * in the same words. An empty object or list is left out as well, where its own object can do without it (an empty list in place
 * of an object is told), and so is a day that is none of the calendar or too far away; any other form of a day that `parseDate` knows becomes `yyyy-mm-dd`, needed
 * or not. A word of a list is read as the list has it, whatever its letters; each that is not on it is told, and stays (`readWord`).
 */
export function compileLeaveOut(schemas: readonly JsonSchema[]): LeaveOut {
  const shape = shapeOf(schemas);
  return (members, warn) => (shape ? leaveOut(members, shape, "", warn) : members);
}

function shapeOf(schemas: readonly unknown[]): Shape | null {
  const isList = schemas.some((schema) => isMembers(schema) && isMembers(schema.items));
  const objects = schemas.map((schema) =>
    isMembers(schema) && isMembers(schema.items) ? schema.items : schema,
  );
  if (!objects.every(namesMembers)) return null;
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties)));
  const required = new Set(objects.flatMap(({ required }) => required ?? []));
  const memberOf = (name: string) => {
    const schemas = schemasOf(objects, name);
    if (schemas.every(isDaySchema)) return required.has(name) || ENDS.has(name) ? "needed day" : "day";
    const words = schemas.flatMap(wordsOf);
    return words.length > 0 ? new Set(words) : shapeOf(schemas);
  };
  return { members: new Map([...names].map((name) => [name, memberOf(name)])), required, isList };
}

function isDaySchema(schema: unknown): boolean {
  return isMembers(schema) && schema.format === "date";
}

/** The words of a list (`enumerationSchema`); none for any other schema. */
function wordsOf(schema: unknown): unknown[] {
  if (!isMembers(schema)) return [];
  const forms = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isMembers) : [];
  return [...forms.flatMap((form) => form.enum ?? wordsOf(form)), ...wordsOf(schema.items)];
}

type ObjectSchema = { properties: Members; required?: readonly string[] };

function namesMembers(schema: unknown): schema is ObjectSchema {
  return isMembers(schema) && isMembers(schema.properties);
}

function schemasOf(objects: readonly ObjectSchema[], name: string): unknown[] {
  return objects.flatMap(({ properties }) => (name in properties ? [properties[name]] : []));
}

/** Copies nothing while all is known, as in nearly every row. */
function leaveOut(given: Members, shape: Shape, path: string, warn: (warning: string) => void): Members {
  let kept = given;
  const change = (name: string, value: unknown) => {
    if (kept === given) kept = { ...given };
    if (value === undefined) delete kept[name];
    else kept[name] = value;
  };
  for (const name of Object.keys(given)) {
    const known = shape.members.get(name);
    if (known === undefined) {
      warn(`${path}${name}: ${NO_MEMBER}, ignored`);
      change(name, undefined);
      continue;
    }
    const value = known ? leaveOutOf(given[name], known, path + name, warn) : given[name];
    if (isEmpty(value) && !shape.required.has(name)) change(name, undefined);
    else if (value !== given[name]) change(name, value);
  }
  return kept;
}

function leaveOutOf(
  value: unknown,
  known: Shape | Value,
  field: string,
  warn: (warning: string) => void,
): unknown {
  if (known === "day") return readDay(value, field, warn);
  // Another text that is needed is refused.
  if (known === "needed day") return typeof value === "string" ? (parseDate(value) ?? value) : value;
  if (!("members" in known)) return readWords(value, field, known, warn);
  const path = `${field}.`;
  if (isMembers(value)) return leaveOut(value, known, path, warn);
  if (!Array.isArray(value)) return value;
  const items = value.map((item: unknown) => (isMembers(item) ? leaveOut(item, known, path, warn) : item));
  const full = items.filter((item) => !isEmpty(item));
  if (full.length === 0 && !known.isList) warn(`${field} left out: not an object`);
  return full.length < value.length || full.some((item, at) => item !== value[at]) ? full : value;
}

/** Copies nothing while all words are as the list has them. */
function readWords(
  value: unknown,
  field: string,
  known: ReadonlySet<unknown>,
  warn: (warning: string) => void,
): unknown {
  if (!Array.isArray(value)) return readWord(field, value, known, warn);
  const words = value.map((word: unknown) => readWord(field, word, known, warn));
  return words.some((word, at) => word !== value[at]) ? words : value;
}

function readDay(value: unknown, field: string, warn: (warning: string) => void): unknown {
  if (typeof value !== "string") return value;
  const day = parseDate(value);
  if (day && (day === OPEN_END || !isFarAway(day))) return day;
  warn(`${field}: ${day ? "too far in the future" : "not a valid date"}, dropped`);
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
