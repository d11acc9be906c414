/** Owns the parts of JSON Schemas that many resources share. */
import type { JsonSchema } from "../shared/schemas/validate.ts";

/** An object that has these members and no others. */
export function objectOf<const R extends readonly string[], const P extends object>(
  required: R,
  properties: P,
) {
  const isAnyRequired = required.length > 0;
  const schema = {
    type: "object",
    additionalProperties: false,
    ...(isAnyRequired && { required }),
    properties,
  };
  return schema as { type: "object"; additionalProperties: false; required: R; properties: P };
}

/** The same, where all members are required but these optional ones. */
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
