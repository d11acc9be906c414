/**
 * Owns the reading of API-shaped members by the JSON Schemas that name them, at every depth, before a record is checked: its
 * looser forms, members that no schema names, days that cannot be right, words of no list. Pure.
 */
import { addressSchema, normaliseAddress } from "../values/address.ts";
import { parseCompanyNumber } from "../values/company-number.ts";
import { isMembers, pickMembers, type Members } from "../values/members.ts";
import {
  inTurn,
  isSame,
  leaveOut,
  onlyText,
  readText,
  valueReader,
  type Read,
  type Reading,
  type Warn,
} from "./read-values.ts";
import { COMPANY_NUMBER } from "./schemas.ts";
import type { JsonSchema } from "./validate.ts";

/** Stands for the schema of a member that is known and not stored: the record's address or another member says the same. */
export const DERIVED = false;

/** The members as they are read; `warn` is given the dotted path of each value that is left out, and why. */
export type ReadMembers = (members: Members, warn: Warn) => Members;

/** By schema: reads on what the schema has read. */
type ReadOn = ReadonlyMap<unknown, Read>;
type How = Reading & { readOn: ReadOn };

const READ_ON: ReadOn = new Map<unknown, Read>([
  [addressSchema, (members) => (isMembers(members) ? (normaliseAddress(members) ?? undefined) : members)],
  // Zeros that a spreadsheet has dropped are put back.
  [COMPANY_NUMBER, (number) => parseCompanyNumber(String(number)) ?? number],
]);

// Without its end, what has ended would be shown as lasting: an impossible one refuses the record.
const ENDS: ReadonlySet<string> = new Set(["ceased_on", "ceased_to_act_on", "exempt_to"]);

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
 * - Below a schema that `isForgiving`, as that of every address, nothing refuses a record: null and an empty text are silence, texts
 *   stand on one line, and what does not fit is left out with a warning, as is an object without a member that it requires. Members
 *   have the order of the schema.
 *
 * `readOn`: reads on what certain schemas have read; addresses are cleaned and company numbers completed so. `readOther`: reads
 * texts, and what has no schema; default: as they came.
 */
export function compileReader(
  schemas: readonly JsonSchema[],
  readOn: ReadOn = READ_ON,
  readOther: Read = (value) => value,
): ReadMembers {
  const how = { readOther, readOn: new Map([...READ_ON, ...readOn]) };
  const read = objectReader(schemas.filter(namesMembers), how);
  return (members, warn) => (read(members, "", warn) ?? {}) as Members;
}

function readerOf(schemas: readonly unknown[], how: How, isNeeded: boolean): Read {
  if (schemas.includes(DERIVED)) return leaveOutDerived;
  const given = schemas.filter(isMembers);
  const items = given.map((schema) => (isMembers(schema.items) ? schema.items : schema));
  const mayBeList = items.some((item, index) => item !== given[index]);
  const read = items.every(namesMembers)
    ? objectReader(items, how, mayBeList)
    : valueReader(items, how, isNeeded);
  const [readOn] = items.flatMap((item) => how.readOn.get(item) ?? []);
  const whole = readOn ? inTurn(read, readOn) : read;
  return given.some(({ type }) => type === "array") ? listReader(whole) : whole;
}

type ObjectSchema = { properties: Members; required?: readonly string[] };

function leaveOutDerived(): undefined {
  return undefined;
}

function namesMembers(schema: Members): schema is ObjectSchema {
  return isMembers(schema.properties);
}

function isForgiving(schema: object): boolean {
  return schema === addressSchema || ("isForgiving" in schema && schema.isForgiving === true);
}

type Readers = ReadonlyMap<string, Read>;

function objectReader(schemas: readonly ObjectSchema[], around: How, mayBeList = false): Read {
  // The texts of an address are cleaned with it.
  const readOther = schemas.some((schema) => schema === addressSchema) ? onlyText : readText;
  const how = schemas.some(isForgiving) ? { ...around, isForgiving: true, readOther } : around;
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const names = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
  const isNeeded = (name: string) => required.has(name) || ENDS.has(name);
  const readers = new Map(
    [...names].map((name) => {
      const own = schemas.flatMap(({ properties }) => (name in properties ? [properties[name]] : []));
      return [name, readerOf(own, how, isNeeded(name))];
    }),
  );
  const readMembers = how.isForgiving ? readFitting(readers, [...required]) : readChanged(readers, isNeeded);
  const isLeftOut =
    how.isForgiving === true || [...readers.values()].every((read) => read === leaveOutDerived);
  return (value, field, warn) => {
    const given: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (isMembers(given)) return readMembers(given, field, warn);
    if (isEmpty(given) ? !mayBeList : isLeftOut) leaveOut(field, "not an object", warn);
    return isLeftOut ? undefined : given;
  };
}

function readChanged(readers: Readers, isNeeded: (name: string) => boolean) {
  return (given: Members, field: string, warn: Warn): Members => {
    const path = field && `${field}.`;
    const names = Object.keys(given);
    let members = given;
    for (const name of names) {
      const value = given[name];
      if (value === undefined) continue;
      const read = readers.get(name);
      if (!read) warnUnknown(path + name, warn);
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

function readFitting(readers: Readers, required: readonly string[]) {
  const entries = [...readers].map(([name, read]) => ({ name, read }));
  return (given: Members, field: string, warn: Warn): Members | undefined => {
    const path = field && `${field}.`;
    const members: Members = {};
    let isAny = false;
    for (const name in given) if (!readers.has(name)) warnUnknown(path + name, warn);
    // A plain loop: this runs for each row of a load of millions.
    for (const { name, read } of entries) {
      const value = given[name];
      if (value === undefined || value === null || value === "") continue;
      const own = read(value, path + name, warn);
      if (own === undefined || (Array.isArray(own) && own.length === 0)) continue;
      members[name] = own;
      isAny = true;
    }
    if (!isAny) return undefined;
    const missing = required.find((name) => members[name] === undefined);
    if (missing === undefined) return members;
    return leaveOut(field, `has no ${missing}`, warn);
  };
}

function warnUnknown(path: string, warn: Warn): void {
  warn(`${path}: is not a member of this kind, ignored`);
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

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
