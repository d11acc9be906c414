/**
 * Fragments that the JSON Schemas of many resources share. A schema with a `title` appears under this name in the
 * OpenAPI document, once for all its uses. A `description` of a member takes precedence over the one for its name in
 * `api/docs/words`.
 */
import type { JsonSchema } from "./validate.ts";

/** An object that has these members and no others. */
export function objectOf<const R extends readonly string[], const P extends object>(
  required: R,
  properties: P,
) {
  const schema = {
    type: "object",
    additionalProperties: false,
    // Older versions of JSON Schema, which some tools use, allow no empty list.
    ...(required.length > 0 && { required }),
    properties,
  };
  return schema as { type: "object"; additionalProperties: false; required: R; properties: P };
}

/** An object that has these members and no others; all but the optional ones are required. */
export function objectWithOptional(
  optional: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchema {
  const required = Object.keys(properties).filter((member) => !optional.includes(member));
  return objectOf(required, properties);
}

export function textUpTo<const Max extends number>(maxLength: Max) {
  return { type: "string", minLength: 1, maxLength } as const;
}

/** A list of at least one item. */
export function listOf<const S extends object>(maxItems: number, items: S) {
  return { type: "array", minItems: 1, maxItems, items } as const;
}

export const FLAG = { type: "boolean" } as const;
export const COMPANY_NUMBER = { type: "string", pattern: "^[A-Z0-9]{8}$" } as const;
export const COUNT = { type: "integer", minimum: 0 } as const;

/** Place and size of a page of a list. */
export const PAGE = { items_per_page: { type: "integer", minimum: 1 }, start_index: COUNT } as const;

/** A calendar date, `YYYY-MM-DD`. */
export const DATE = { type: "string", format: "date" } as const;

/** An ETag as resources carry it: SHA-1 shaped. */
export const ETAG = { type: "string", pattern: "^[0-9a-f]{40}$" } as const;

/** An incoming date of birth; the day is optional. Other years are mistakes, and 0 and 9999 mean "unknown". */
export const BIRTH = {
  isLenient: true,
  required: ["month", "year"],
  properties: {
    day: { type: "integer", minimum: 1, maximum: 31 },
    month: { type: "integer", minimum: 1, maximum: 12 },
    year: { type: "integer", minimum: 1000, maximum: 2099 },
  },
} as const;

/** An addition to the original's lists: it tells whether an empty list means that there are no records. */
export const COVERAGE = {
  title: "list-coverage",
  type: "object",
  description:
    "Whether records of this kind have been loaded for this company. Not part of the original API.",
  additionalProperties: false,
  required: ["loaded", "as_of"],
  properties: {
    loaded: {
      type: "boolean",
      description: "False: none have been loaded, so an empty list does not mean that there are none.",
    },
    as_of: {
      type: ["string", "null"],
      format: "date",
      description: "The day of the data; null if no source states one.",
    },
  },
} as const;

/** The schema of `links` with one required link; `pattern` is the form of its address. */
export function linkSchema(name: string, pattern?: string): JsonSchema {
  return {
    title: `${name.replaceAll("_", "-")}-link`,
    type: "object",
    additionalProperties: false,
    required: [name],
    properties: { [name]: { type: "string", ...(pattern && { pattern }) } },
  };
}

/** The schema, or null: for the members that the original answers with null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}
