/**
 * Owns what of a command to MongoDB stands in the list of what the service needs: its name, its members, those of its
 * statements, and every operator. Values are left out, so a command is a handful of short texts, which most commands share.
 */
import type { Document } from "mongodb";

/** Called with each part: `find`, `find.limit`, `update.updates.upsert`, `query operator $in`, `stage $match`. */
type Note = (part: string) => void;

// What the driver adds to whatever command it sends.
const OF_ANY_COMMAND = new Set(["$db", "lsid", "txnNumber", "$clusterTime", "$readPreference"]);
// Members that are documents or lists of them, whose own members matter as well.
const WITH_MEMBERS = new Set(["updates", "deletes", "indexes", "cursor"]);
const FILTERS = new Set(["filter", "query", "q"]);
// The values of these are what is stored.
const STORES = new Set(["$set", "$setOnInsert"]);

/** The parts of a command as the driver sends it; one may come more than once. */
export function notePartsOf(command: Document, note: Note): void {
  const [name = "", ...members] = Object.keys(command);
  note(name);
  for (const member of members) {
    if (OF_ANY_COMMAND.has(member)) note(`any command.${member}`);
    else noteMember(`${name}.${member}`, member, command[member], note);
  }
}

function noteMember(path: string, member: string, value: unknown, note: Note): void {
  note(path);
  if (member === "writeConcern" || member === "readConcern") noteMembers(member, value, note);
  else if (WITH_MEMBERS.has(member)) for (const one of itemsOf(value)) noteMembers(path, one, note);
  else if (FILTERS.has(member)) noteOperators("query operator", value, note);
  else if (member === "u") noteUpdate(value, note);
  else if (member === "pipeline") notePipeline(value, note);
  else if (member === "sort" || member === "projection") noteOperators(`${member} operator`, value, note);
  else if (member === "key") noteKinds(value, note);
}

function noteMembers(path: string, value: unknown, note: Note): void {
  for (const [member, inner] of membersOf(value)) noteMember(`${path}.${member}`, member, inner, note);
}

/** The driver sends the statements of a bulk write as a sequence of documents. */
function itemsOf(value: unknown): readonly unknown[] {
  const { documents = value } = value as { documents?: unknown };
  return Array.isArray(documents) ? documents : [documents];
}

function noteUpdate(update: unknown, note: Note): void {
  if (Array.isArray(update)) {
    note("update with a pipeline");
    notePipeline(update, note);
    return;
  }
  const operators = membersOf(update).filter(([member]) => member.startsWith("$"));
  if (operators.length === 0) note("update with a whole document");
  for (const [operator, operand] of operators) {
    note(`update operator ${operator}`);
    if (!STORES.has(operator)) noteOperators("update operator", operand, note);
  }
}

function notePipeline(pipeline: unknown, note: Note): void {
  for (const stage of pipeline as unknown[]) {
    for (const [name, value] of membersOf(stage)) {
      note(`stage ${name}`);
      noteOperators(name === "$match" ? "query operator" : "expression", value, note);
    }
  }
}

/** Every `$name` in it, and regular expressions, which need no operator. */
function noteOperators(kind: string, value: unknown, note: Note): void {
  // Most lists are the thousands of texts of an `$in`.
  if (Array.isArray(value))
    for (const item of value) if (typeof item === "object") noteOperators(kind, item, note);
  if (value instanceof RegExp || bsonTypeOf(value) === "BSONRegExp") note(`${kind} $regex`);
  for (const [member, inner] of membersOf(value)) {
    if (member.startsWith("$")) note(`${kind} ${member}`);
    if (typeof inner === "object") noteOperators(kind, inner, note);
  }
}

/** Ascending keys are what every index has; others are of a kind of their own. */
function noteKinds(key: unknown, note: Note): void {
  for (const [, kind] of membersOf(key)) if (kind !== 1) note(`index key ${String(kind)}`);
}

/** Of a document, which may be a Map; values of BSON and lists have none. */
function membersOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)];
  const isDocument = typeof value === "object" && value !== null && !Array.isArray(value);
  return isDocument && bsonTypeOf(value) === undefined ? Object.entries(value) : [];
}

function bsonTypeOf(value: unknown): unknown {
  return (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
}
