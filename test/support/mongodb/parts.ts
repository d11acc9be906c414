/**
 * Takes a command to MongoDB apart into the texts that needs.ts lists: its name, its members, the members of its
 * statements, and every operator. Values are left out, so a command has a handful of short texts, which most share.
 */
import type { Document } from "mongodb";

/** Called with each part: `find`, `find.limit`, `update.updates.upsert`, `query operator $in`, `stage $match`. */
type Note = (part: string) => void;

// Members that the driver adds to any command.
const OF_ANY_COMMAND = new Set(["$db", "lsid", "txnNumber", "$clusterTime", "$readPreference"]);
// Members that are documents, or lists of documents, whose own members count too.
const WITH_MEMBERS = new Set(["updates", "deletes", "indexes", "cursor"]);
const FILTERS = new Set(["filter", "query", "q"]);
// Their values are stored as they are, so a `$name` in them is no operator.
const STORES = new Set(["$set", "$setOnInsert"]);

/** Notes the parts of a command that the driver sends; a part can be noted more than once. */
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

/** The documents of a member; the driver sends the statements of a bulk write as `{ documents }`. */
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

/** Notes every `$name` in a value, and regular expressions, which can stand without an operator. */
function noteOperators(kind: string, value: unknown, note: Note): void {
  // Skips plain values, because most lists are the thousands of texts of an `$in`.
  if (Array.isArray(value))
    for (const item of value) if (typeof item === "object") noteOperators(kind, item, note);
  if (value instanceof RegExp || bsonTypeOf(value) === "BSONRegExp") note(`${kind} $regex`);
  for (const [member, inner] of membersOf(value)) {
    if (member.startsWith("$")) note(`${kind} ${member}`);
    if (typeof inner === "object") noteOperators(kind, inner, note);
  }
}

/** Notes index keys of other kinds than ascending, which every index has. */
function noteKinds(key: unknown, note: Note): void {
  for (const [, kind] of membersOf(key)) if (kind !== 1) note(`index key ${String(kind)}`);
}

/** The members of a document, which may be a Map; BSON values and lists have none. */
function membersOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)];
  const isDocument = typeof value === "object" && value !== null && !Array.isArray(value);
  return isDocument && bsonTypeOf(value) === undefined ? Object.entries(value) : [];
}

function bsonTypeOf(value: unknown): unknown {
  return (value as { _bsontype?: unknown } | null | undefined)?._bsontype;
}
