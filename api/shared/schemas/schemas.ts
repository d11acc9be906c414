/**
 * Owns the fragments that the schemas of many resources share. A schema's `title` is the name under which the OpenAPI
 * document has it, once for all places that use it; a `description` beside a member goes before that of its name in
 * `api/docs/words`.
 */
import type { JsonSchema } from "./validate.ts";

/** A calendar date, `YYYY-MM-DD`. */
export const DATE = { type: "string", format: "date" } as const;

/** An ETag as resources carry it: SHA-1 shaped. */
export const ETAG = { type: "string", pattern: "^[0-9a-f]{40}$" } as const;

/** What a list says of itself beyond the contract: whether an empty one is an answer. */
export const COVERAGE = {
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
/** `links` with one link, which is always there; `pattern` is the form of its address. */
export function linkSchema(name: string, pattern?: string): JsonSchema {
  return {
    title: `${name.replaceAll("_", "-")}-link`,
    type: "object",
    additionalProperties: false,
    required: [name],
    properties: { [name]: { type: "string", ...(pattern && { pattern }) } },
  };
}

/** A schema that has a title, in the words of one member; spread, it would be another schema of the same title. */
export function inWords(schema: JsonSchema, description: string): JsonSchema {
  return { allOf: [schema], description };
}

/** The schema, or null: for the members that the original answers with null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}
