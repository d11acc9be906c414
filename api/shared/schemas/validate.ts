/**
 * Compiles JSON Schemas into checks, with the only Ajv instance of the service, and says in plain words what is wrong.
 */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { formatNumber } from "../runtime/format.ts";
import { isDay } from "../values/dates.ts";
import type { Members } from "../values/members.ts";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Record<string, unknown>;

/** The first fault that a check found. */
interface Fault {
  /** Dotted path of the member at fault, empty for the value as a whole. */
  field: string;
  /** One sentence fragment: "must be one of …, found …", "must not have the member …". */
  reason: string;
}

/** Checks a value; null means that it obeys its schema. */
export type Check = (value: unknown) => Fault | null;

/** The type of `compileCheck`, for code that gets it as an argument because it checks only in tests. */
export type CompileCheck = (schema: JsonSchema) => Check;

const ajv = new Ajv2020({
  // People mend one fault at a time, and to collect all faults takes time for every bad row.
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
  // Tuned: no `verbose`. With value and schema in each error, the check of a company becomes so long that V8 does not
  // compile it, and takes nearly twice the time.
});
addFormats.default(ajv, ["uri"]);
ajv.addFormat("date", isDay);

/** Compiles a schema into a check that returns the first fault. Throws if the schema itself is wrong. */
export function compileCheck(schema: JsonSchema): Check {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? null : toFault(validate.errors as [ErrorObject], value));
}

// Of the forms of an `anyOf` the last is the widest, so its error is reported. Errors of these keywords are passed
// over: they only say that a form is for another type of value.
const OF_ANOTHER_FORM = ["anyOf", "if", "type"];

/** The fault to report. Ajv returns several errors only if none of several forms fits. */
function toFault(errors: [ErrorObject, ...ErrorObject[]], value: unknown): Fault {
  const error = errors.findLast(({ keyword }) => !OF_ANOTHER_FORM.includes(keyword)) ?? errors[0];
  const data = valueAt(value, error.instancePath);
  return { field: error.instancePath.slice(1).replaceAll("/", "."), reason: describe({ ...error, data }) };
}

/** The part of a value that a JSON pointer names. */
function valueAt(value: unknown, path: string): unknown {
  const names = path.split("/").slice(1);
  // The cast: every value on the way is an object or a list.
  return names.reduce((at, name) => (at as Members)[name.replaceAll("~1", "/").replaceAll("~0", "~")], value);
}

// The patterns of members of records, in words. Other patterns belong to addresses (`formOf`).
const PATTERNS: Partial<Record<string, string>> = {
  "^[A-Z0-9]{8}$": "eight characters, capital letters and digits",
  "^[A-Z0-9]{12}$": "twelve characters, capital letters and digits",
  "^[0-9]{12}$": "twelve digits",
  "^\\d{4,5}$": "four or five digits",
  "^[0-9a-f]{40}$": "40 hexadecimal digits",
  "^[A-Za-z0-9_-]{27}$": "27 characters, letters, digits, _ and -",
  "^[A-Za-z0-9_-]{27}=?$": "27 characters, letters, digits, _ and -",
  "^[A-Za-z0-9_=-]{1,60}$": "letters, digits, _, = and -, at most 60",
};
const TYPES: Partial<Record<string, string>> = {
  ...{ array: "a list", object: "an object", string: "a text" },
  ...{ integer: "a whole number", number: "a number", boolean: "true or false" },
};
// Limit: most characters quoted of a word that is not listed. Ids and days are not quoted, because refusals are counted
// by the text of their reason.
const MOST_QUOTED = 50;

function describe({ keyword, message = "does not match its schema", params, data }: ErrorObject): string {
  const limit = Number(params.limit);
  switch (keyword) {
    case "enum":
      return `must be one of the listed values${quote(data)}`;
    case "additionalProperties":
      return `must not have the member ${String(params.additionalProperty)}`;
    case "required":
      return `must have the member ${String(params.missingProperty)}`;
    case "type":
      return `must be ${[params.type].flat().map(wordOf).join(" or ")}, found ${describeType(data)}`;
    case "format":
      return params.format === "date" ? "must be a day such as 2026-11-01" : "must be an address (URI)";
    case "pattern":
      return `must be ${PATTERNS[String(params.pattern)] ?? `of the form ${formOf(String(params.pattern))}`}`;
    case "maxLength":
      return `must have at most ${formatNumber(limit, "character")}`;
    case "maxItems":
      return `must have at most ${formatNumber(limit, "item")}`;
    case "minLength":
    case "minItems":
    case "minProperties":
      return limit > 1 ? message : "must not be empty";
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    default:
      return message;
  }
}

function wordOf(type: unknown): string {
  return TYPES[String(type)] ?? String(type);
}

function describeType(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  return wordOf(Array.isArray(value) ? "array" : typeof value);
}

/** Writes `^/company/[A-Z0-9]{8}/charges$` as `/company/…/charges`. */
function formOf(pattern: string): string {
  return pattern.replace(/\[[^\]]+\]\{[\d,]+\}/g, "…").replace(/^\^|\$$/g, "");
}

function quote(value: unknown): string {
  return typeof value === "string" ? `, found ${JSON.stringify(value.slice(0, MOST_QUOTED))}` : "";
}
