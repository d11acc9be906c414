/**
 * Reads incoming API-shaped objects by their JSON Schemas, at every depth, before the record is checked. It converts
 * looser forms to the strict one, and handles unknown members, impossible days and words that are not on their list.
 * Pure.
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

/** In place of a schema: a known member that is not stored, because the address or another member has its value. */
export const DERIVED = false;

/** Reads the members of an object. `warn` gets the dotted path of each value that is left out, and the reason. */
export type ReadMembers = (members: Members, warn: Warn) => Members;

/** Further readers by schema: they get the value that was read by the schema. */
type ReadOn = ReadonlyMap<unknown, Read>;
type How = Reading & { readOn: ReadOn };

const READ_ON: ReadOn = new Map<unknown, Read>([
  [addressSchema, (members) => (isMembers(members) ? (normaliseAddress(members) ?? undefined) : members)],
  // Puts back leading zeros that a spreadsheet dropped.
  [COMPANY_NUMBER, (number) => parseCompanyNumber(String(number)) ?? number],
]);

// An impossible day among these makes the record invalid: left out, it would show as current what has ended.
const ENDS: ReadonlySet<string> = new Set(["ceased_on", "ceased_to_act_on", "exempt_to"]);

/**
 * Makes a function that reads objects by these schemas, which together must name every member. It uses only
 * `properties`, `items`, `required`, types, dates and lists of words; use `{}` for a value that is read elsewhere.
 * Paths in warnings have no list indexes, so that the same fault of many items gives the same words.
 * - Converted: a single item to a list; a list of one to an object or a word; digits to a number; 0 and 1 to a flag; a
 *   date in any form that `parseDate` knows.
 * - Left out without a warning: false for a flag whose schema allows only true; an empty list or object that is not
 *   required.
 * - Left out with a warning: a member that no schema names; an empty list in place of an object; any other value in
 *   place of an object all of whose members are `DERIVED`; a date that is not required, and is invalid or too far in
 *   the future.
 * - Refused: a required date of an event that is too far in the future. Throws RecordError.
 * - A word takes the spelling of its list. A word that is not on the list stays, with a warning (`readWord`).
 * - Below a schema with `isLenient`, as in every address, no value makes a record invalid. Null and empty texts count
 *   as absent, and line breaks become spaces. Values that do not fit are left out with a warning, as are objects
 *   without a required member. Members get the order of the schema.
 *
 * `readOn`: further readers by schema, beside those that clean addresses and complete company numbers. `readOther`:
 * reads texts, and values without a schema; by default they stay as they are.
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

function isLenient(schema: object): boolean {
  return schema === addressSchema || ("isLenient" in schema && schema.isLenient === true);
}

type Readers = ReadonlyMap<string, Read>;

function objectReader(schemas: readonly ObjectSchema[], around: How, mayBeList = false): Read {
  // `normaliseAddress` cleans the texts of an address, so here they only have to be texts.
  const readOther = schemas.some((schema) => schema === addressSchema) ? onlyText : readText;
  const how = schemas.some(isLenient) ? { ...around, isLenient: true, readOther } : around;
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const names = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
  const isNeeded = (name: string) => required.has(name) || ENDS.has(name);
  const readers = new Map(
    [...names].map((name) => {
      const own = schemas.flatMap(({ properties }) => (name in properties ? [properties[name]] : []));
      return [name, readerOf(own, how, isNeeded(name))];
    }),
  );
  const readMembers = how.isLenient ? readFitting(readers, [...required]) : readChanged(readers, isNeeded);
  const isLeftOut = how.isLenient === true || [...readers.values()].every((read) => read === leaveOutDerived);
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
      // The object is copied only at its first changed member; nearly no row has one.
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
    // A plain loop, because it runs for each of millions of rows.
    for (const { name, read } of entries) {
      const value = given[name];
      if (value === undefined || value === null || value === "") continue;
      const own = read(value, path + name, warn);
      if (isEmpty(own)) continue;
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
    const items = given.map((item) => read(item, field, warn)).filter((item) => !isEmpty(item));
    return given === value && isSame(items, given) ? value : items;
  };
}

/** True for a value that was left out, and for a list or object without content. */
function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
