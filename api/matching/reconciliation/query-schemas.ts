/** Owns the JSON Schemas of requests to the reconciliation service; written from its specification, version 0.2. */
import type { JsonSchema } from "../../shared/schemas/validate.ts";

// Limit: identifiers whose properties are fetched in one request.
const MOST_IDS = 100;
const MOST_PROPERTIES = 30;
// Limit: a text longer than a name is answered with a note; one longer than this is an error.
const TEXT = { type: "string", maxLength: 2_000 };

const SCALAR = {
  anyOf: [
    TEXT,
    { type: "number" },
    { type: "boolean" },
    {
      type: "object",
      required: ["id"],
      properties: { id: TEXT, name: { type: "string" } },
    },
  ],
};

const PROPERTY = {
  type: "object",
  required: ["pid", "v"],
  properties: {
    pid: { type: "string" },
    v: { anyOf: [...SCALAR.anyOf, { type: "array", maxItems: 20, items: SCALAR }] },
  },
};

/** A batch: queries by keys of the client's own. */
export const queryBatchSchema: JsonSchema = {
  type: "object",
  additionalProperties: {
    type: "object",
    additionalProperties: false,
    properties: {
      query: TEXT,
      type: { anyOf: [{ type: "string" }, { type: "array", maxItems: 10, items: { type: "string" } }] },
      limit: { type: "integer", minimum: 1 },
      properties: { type: "array", maxItems: 20, items: PROPERTY },
      type_strict: { enum: ["any", "should", "all"] },
    },
  },
};

/** The properties to fetch, and of which entities. */
export const extendQuerySchema: JsonSchema = {
  type: "object",
  required: ["ids", "properties"],
  properties: {
    ids: { type: "array", maxItems: MOST_IDS, items: TEXT },
    properties: {
      type: "array",
      maxItems: MOST_PROPERTIES,
      items: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, settings: { type: "object" } },
      },
    },
  },
};
