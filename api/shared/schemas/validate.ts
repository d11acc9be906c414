/** Owns the only Ajv instance: every JSON Schema of the service is compiled here. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Record<string, unknown>;

/** What is wrong with a value: the first fault, in words and with its place. */
export interface Fault {
  /** Dotted path of the member at fault, empty for the value as a whole. */
  field: string;
  /** One sentence fragment: "must be one of …", "must not have the member …". */
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
});
addFormats.default(ajv, ["date", "uri"]);

/** Compiles a schema into a check that names the first fault. Throws when the schema itself is wrong. */
export function compileCheck(schema: JsonSchema): Check {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? null : toFault(validate.errors as [ErrorObject]));
}

/** The first of them: there are no others. */
function toFault([error]: [ErrorObject]): Fault {
  return { field: error.instancePath.slice(1).replaceAll("/", "."), reason: describe(error) };
}

function describe(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "enum":
      return `must be one of the listed values`;
    case "additionalProperties":
      return `must not have the member ${String(params.additionalProperty)}`;
    case "required":
      return `must have the member ${String(params.missingProperty)}`;
    default:
      return error.message ?? "does not match its schema";
  }
}
