/** Owns the only Ajv instance: every JSON Schema of the service is compiled here. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Record<string, unknown>;

/** What is wrong with a value: the first fault, in words and with its place. */
export interface Fault {
  /** Dotted path of the member at fault, empty for the value as a whole. */
  field: string;
  /** One sentence fragment: "must be one of …, found …", "must not have the member …". */
  reason: string;
}

/** Checks a value; null means it obeys its schema. */
export type Check = (value: unknown) => Fault | null;

/** Makes the check of a schema: `compileCheck`, passed to what checks in tests alone. */
export type CompileCheck = (schema: JsonSchema) => Check;

const ajv = new Ajv2020({
  // A first fault is what a person mends first; collecting all of them costs time on every bad row.
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
  // Errors have the value at fault.
  verbose: true,
});
addFormats.default(ajv, ["date", "uri"]);

/** Compiles a schema into a check that names the first fault. Throws when the schema itself is wrong. */
export function compileCheck(schema: JsonSchema): Check {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? null : toFault(validate.errors as [ErrorObject]));
}

// Of several forms the last one is the widest: what is wrong in it counts, unless it is for another type of value.
const OF_ANOTHER_FORM = ["anyOf", "if", "type"];

/** The fault; there are several only where none of several forms fits. */
function toFault(errors: [ErrorObject, ...ErrorObject[]]): Fault {
  const error = errors.findLast(({ keyword }) => !OF_ANOTHER_FORM.includes(keyword)) ?? errors[0];
  return { field: error.instancePath.slice(1).replaceAll("/", "."), reason: describe(error) };
}

// Limit: characters of a word of no list that are quoted. Ids and days are not: reasons are counted by their text.
const MOST_QUOTED = 50;

function describe({ keyword, message = "does not match its schema", params, data }: ErrorObject): string {
  switch (keyword) {
    case "enum":
      return `must be one of the listed values${quote(data)}`;
    case "additionalProperties":
      return `must not have the member ${String(params.additionalProperty)}`;
    case "required":
      return `must have the member ${String(params.missingProperty)}`;
    default:
      return message;
  }
}

function quote(value: unknown): string {
  return typeof value === "string" ? `, found ${JSON.stringify(value.slice(0, MOST_QUOTED))}` : "";
}
