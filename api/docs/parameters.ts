/** Describes path and query parameters in OpenAPI. */
import type {
  IntegerParameter,
  QueryParameter,
  QueryParameters,
} from "../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";

// Limit: fifteen digits, which stay exact as a number; a longer one is refused.
const LARGEST_INTEGER = 999_999_999_999_999;

const IDENTIFIER = { type: "string", minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9_=-]+$" };

/** Descriptions of path parameters, and schemas of those that are no plain identifiers. */
const PATH_PARAMETERS: Record<string, { description: string; schema?: JsonSchema }> = {
  company_number: {
    description: "Number of the company: eight characters, with its leading zeros; lower case is accepted.",
    schema: { type: "string", minLength: 8, maxLength: 8, pattern: "^[A-Za-z0-9]+$" },
  },
  officer_id: { description: "Identifier of the officer, from links and searches." },
  appointment_id: { description: "Identifier of the appointment, from the links of the officer list." },
  transaction_id: { description: "Identifier of the filing, from the filing history." },
  charge_id: { description: "Identifier of the charge, from the links of the list of charges." },
  notification_id: { description: "Identifier of the notification of significant control." },
  super_secure_id: { description: "Identifier of the super secure person." },
  statement_id: { description: "Identifier of the statement, from the links of the list of statements." },
  enumeration_name: { description: "Name of the list, from `/enumerations`." },
  id: {
    description: "Company number, or type and identifier of a person: `officer-…`, `disqualified-officer-…`.",
  },
  psc_id: { description: "Identifier of the person with significant control." },
};

/** `/company/:company_number` as OpenAPI writes it: `/company/{company_number}`. */
export function toPathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/**
 * The parameters in a path, in order. Without `values`, example values come from the links of an example answer, so
 * that the values of one operation belong together.
 */
export function describePathParameters(
  path: string,
  example: Record<string, unknown> | undefined,
  values = readPathValues(path, example),
): Record<string, unknown>[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const { description = "Identifier.", schema = IDENTIFIER } = PATH_PARAMETERS[name] ?? {};
    const value = values[name];
    return { name, in: "path", required: true, description, schema, ...(value && { example: value }) };
  });
}

/** The values in the first link of the example that is the path, or begins with it. */
function readPathValues(path: string, example: Record<string, unknown> | undefined): Record<string, string> {
  const pattern = path.replace(/:(\w+)/g, '(?<$1>[^/"]+)');
  return new RegExp(`"${pattern}["/]`).exec(JSON.stringify(example ?? {}))?.groups ?? {};
}

/** The declared query parameters, in order; required ones have a value that finds the example answer. */
export function describeQueryParameters(
  parameters: QueryParameters,
  example: Record<string, unknown> | undefined,
): Record<string, unknown>[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const isRequired = "required" in parameter && parameter.required;
    const value = isRequired ? exampleOf(parameter, example) : undefined;
    return {
      name,
      in: "query",
      description: parameter.description,
      ...(isRequired ? { required: true } : {}),
      ...describeValue(parameter),
      ...(value === undefined ? {} : { example: value }),
    };
  });
}

/** For a choice the first value; for a text the company name in the example answer, or the name of its first item. */
function exampleOf(parameter: QueryParameter, example: Record<string, unknown> = {}): unknown {
  if (parameter.kind === "choice") return parameter.values[0];
  const [first = {}] = (example.items ?? []) as Record<string, unknown>[]; // lists have items
  return example.company_name ?? first.title ?? first.company_name;
}

function describeValue(parameter: QueryParameter): Record<string, unknown> {
  switch (parameter.kind) {
    case "integer":
      return { schema: describeInteger(parameter) };
    case "boolean":
      return { schema: { type: "boolean", default: false } };
    case "choice":
      return { schema: { type: "string", enum: parameter.values } };
    case "list": {
      const items = { type: "string", ...(parameter.values && { enum: parameter.values }) };
      const style = parameter.isSpaced ? "spaceDelimited" : "form";
      return { style, explode: false, schema: { type: "array", items } };
    }
    case "date":
      return { schema: { type: "string", format: "date" } };
    case "text":
      return {
        schema: {
          type: "string",
          maxLength: parameter.maxLength,
          ...(parameter.required ? { minLength: 1, pattern: "\\S" } : {}),
          ...(parameter.pattern !== undefined && { pattern: parameter.pattern }),
        },
      };
  }
}

/** The minimum is 1 where an endpoint refuses 0. Many endpoints replace 0 and less by an allowed value instead. */
function describeInteger({ default: preset, maximum, settle, window }: IntegerParameter): JsonSchema {
  const minimum = settle && refuses(settle, 0) ? 1 : 0;
  const largest = maximum ?? (window === undefined ? LARGEST_INTEGER : window - 1);
  return { type: "integer", format: "int64", default: preset, minimum, maximum: largest };
}

function refuses(settle: NonNullable<IntegerParameter["settle"]>, value: number): boolean {
  try {
    return settle(value) === null;
  } catch {
    return true;
  }
}
