/** Owns the leaving out of members that no JSON Schema names, at every depth. Pure. */
import { isMembers, type Members } from "../values/members.ts";
import type { JsonSchema } from "./validate.ts";

/** What is said of such a member. */
export const NO_MEMBER = "is not a member of this kind";

/** The members without those that are not known; `tell` is given the dotted path of each of these. */
export type LeaveOut = (members: Members, tell: (path: string) => void) => Members;

/** The members that an object may have, each with its own; null for a value that the check of the record judges whole. */
interface Shape {
  members: ReadonlyMap<string, Shape | null>;
  required: ReadonlySet<string>;
}

/**
 * Makes the function that leaves out what none of the schemas names. A list of objects and an object are taken for
 * each other, as API-shaped input does. Paths have no places in lists, so that the same member of many items is told
 * in the same words. An empty object or list is left out as well, where its own object can do without it.
 */
export function compileLeaveOut(schemas: readonly JsonSchema[]): LeaveOut {
  const shape = shapeOf(schemas);
  return (members, tell) => (shape ? leaveOut(members, shape, "", tell) : members);
}

function shapeOf(schemas: readonly unknown[]): Shape | null {
  const objects = schemas.map((schema) =>
    isMembers(schema) && isMembers(schema.items) ? schema.items : schema,
  );
  if (!objects.every(namesMembers)) return null;
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties)));
  return {
    members: new Map([...names].map((name) => [name, shapeOf(schemasOf(objects, name))])),
    required: new Set(objects.flatMap(({ required }) => required ?? [])),
  };
}

type ObjectSchema = { properties: Members; required?: readonly string[] };

function namesMembers(schema: unknown): schema is ObjectSchema {
  return isMembers(schema) && isMembers(schema.properties);
}

function schemasOf(objects: readonly ObjectSchema[], name: string): unknown[] {
  return objects.flatMap(({ properties }) => (name in properties ? [properties[name]] : []));
}

/** Copies nothing while all is known, as in nearly every row. */
function leaveOut(given: Members, shape: Shape, path: string, tell: (path: string) => void): Members {
  let kept = given;
  const change = (name: string, value: unknown) => {
    if (kept === given) kept = { ...given };
    if (value === undefined) delete kept[name];
    else kept[name] = value;
  };
  for (const name of Object.keys(given)) {
    const known = shape.members.get(name);
    if (known === undefined) {
      tell(path + name);
      change(name, undefined);
      continue;
    }
    const value = known ? leaveOutBelow(given[name], known, `${path}${name}.`, tell) : given[name];
    if (isEmpty(value) && !shape.required.has(name)) change(name, undefined);
    else if (value !== given[name]) change(name, value);
  }
  return kept;
}

function leaveOutBelow(value: unknown, shape: Shape, path: string, tell: (path: string) => void): unknown {
  if (isMembers(value)) return leaveOut(value, shape, path, tell);
  if (!Array.isArray(value)) return value;
  const items = value.map((item: unknown) => (isMembers(item) ? leaveOut(item, shape, path, tell) : item));
  const full = items.filter((item) => !isEmpty(item));
  return full.length < value.length || full.some((item, at) => item !== value[at]) ? full : value;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
