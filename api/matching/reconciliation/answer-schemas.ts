/** Owns the JSON Schemas of the reconciliation service's answers; written from its specification, version 0.2. */
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { MATCH_TYPES } from "../define-match.ts";

const TEXT = { type: "string" };
const NAME = { type: "string", minLength: 1 };
const TEMPLATE = { type: "string", pattern: "\\{\\{id\\}\\}" };

const TYPE: JsonSchema = {
  title: "entity-type",
  description: "A type of entities.",
  type: "object",
  additionalProperties: false,
  required: ["id", "name"],
  properties: {
    id: { enum: [...MATCH_TYPES], description: "Identifier of the type." },
    name: { ...NAME, description: "Its name." },
  },
};

const SERVICE: JsonSchema = {
  title: "reconciliation-service-path",
  description: "Address of a part of the service, in two texts to be joined.",
  type: "object",
  additionalProperties: false,
  required: ["service_url", "service_path"],
  properties: {
    service_url: { ...NAME, description: "Beginning of the address." },
    service_path: { ...NAME, description: "Rest of the address." },
  },
};

/** The manifest. */
export const manifestSchema: JsonSchema = {
  title: "reconciliation-manifest",
  description: "The reconciliation service and the addresses of its parts.",
  type: "object",
  additionalProperties: false,
  required: ["versions", "name", "identifierSpace", "schemaSpace"],
  properties: {
    versions: { type: "array", contains: { const: "0.2" }, items: TEXT, description: "Versions of its API." },
    name: { ...NAME, description: "Name of the service." },
    identifierSpace: { type: "string", format: "uri", description: "Namespace of the identifiers." },
    schemaSpace: { type: "string", format: "uri", description: "Namespace of the properties." },
    documentation: { type: "string", format: "uri", description: "Page of the service for people." },
    defaultTypes: { type: "array", items: TYPE, uniqueItems: true, description: "All types." },
    view: object("reconciliation-view", "Where an entity is shown.", { url: TEMPLATE }),
    preview: object(
      "reconciliation-preview",
      "Where an entity is shown in a frame, and the size of the frame.",
      {
        url: TEMPLATE,
        width: { type: "integer" },
        height: { type: "integer" },
      },
    ),
    suggest: object("reconciliation-suggest", "Where suggestions come from.", {
      entity: SERVICE,
      property: SERVICE,
      type: SERVICE,
    }),
    extend: object("reconciliation-extend", "Where properties are proposed.", {
      propose_properties: SERVICE,
    }),
    batchSize: { type: "integer", minimum: 1, description: "Most queries in a batch." },
    authentication: object("reconciliation-authentication", "How a key is sent.", {
      type: TEXT,
      scheme: TEXT,
    }),
  },
};

const FEATURE: JsonSchema = {
  title: "match-feature",
  description: "A part of the score: the likeness of the name, or whether a fact agrees.",
  type: "object",
  additionalProperties: false,
  required: ["id", "value"],
  properties: {
    id: { enum: ["name", "number", "postcode", "town", "status", "born"], description: "What was compared." },
    value: {
      type: ["number", "boolean"],
      description: "Likeness from 0 to 100, or whether the fact agrees.",
    },
  },
};

const CANDIDATE: JsonSchema = {
  title: "match-candidate",
  description: "An entity that a query may mean.",
  type: "object",
  additionalProperties: false,
  required: ["id", "name", "type", "score", "match", "features", "reasons"],
  properties: {
    id: { ...NAME, description: "Company number, or type and identifier of a person." },
    name: { ...NAME, description: "Present name." },
    description: { ...NAME, description: "Description, in words." },
    type: { type: "array", items: TYPE, description: "Its type." },
    score: { type: "number", minimum: 0, maximum: 100, description: "How well it matches the query." },
    match: { type: "boolean", description: "True: right in at least 99 of 100 cases." },
    features: { type: "array", items: FEATURE, description: "Parts of the score." },
    reasons: { type: "array", items: TEXT, description: "Why, in words." },
  },
};

/** Results by the keys of their queries. */
export const resultBatchSchema: JsonSchema = {
  title: "reconciliation-results",
  description: "Results by the keys of their queries.",
  type: "object",
  additionalProperties: {
    title: "reconciliation-result",
    description: "What was found for a query.",
    type: "object",
    additionalProperties: false,
    required: ["result"],
    properties: {
      result: { type: "array", items: CANDIDATE, description: "Candidates, the best first." },
      notes: { type: "array", items: TEXT, description: "Parts of the query that could not be used." },
    },
  },
};

const DATE_TIME = "^\\d{4}-\\d{2}-\\d{2}T00:00:00$";

/** Values by entity and property. */
export const extensionSchema: JsonSchema = {
  title: "reconciliation-extension",
  description: "Values by entity and property.",
  type: "object",
  additionalProperties: false,
  required: ["meta", "rows"],
  properties: {
    meta: {
      type: "array",
      description: "The properties, in the order asked for.",
      items: object("extension-property", "A property.", { id: NAME, name: NAME, type: TYPE }, [
        "id",
        "name",
      ]),
    },
    rows: {
      type: "object",
      description: "Values by entity and property.",
      additionalProperties: {
        type: "object",
        additionalProperties: {
          type: "array",
          items: {
            title: "extension-value",
            description: "A value: a text, a number, a day or an entity.",
            type: "object",
            additionalProperties: false,
            minProperties: 1,
            maxProperties: 2,
            properties: {
              str: { ...TEXT, description: "A text." },
              int: { type: "integer", description: "A whole number." },
              date: { type: "string", pattern: DATE_TIME, description: "A day." },
              id: { ...NAME, description: "Identifier of an entity." },
              name: { ...NAME, description: "Name of the entity." },
            },
          },
        },
      },
    },
  },
};

const NAMED = {
  id: { ...NAME, description: "Identifier." },
  name: { ...NAME, description: "Name." },
  description: { ...NAME, description: "More, in words." },
};

/** Suggestions of entities, properties or types. */
export const suggestionsSchema: JsonSchema = {
  title: "reconciliation-suggestions",
  description: "Entities whose names begin with the text.",
  type: "object",
  additionalProperties: false,
  required: ["result"],
  properties: {
    result: {
      type: "array",
      description: "Suggestions, the best first.",
      items: object(
        "reconciliation-suggestion",
        "A suggestion.",
        { ...NAMED, notable: { type: "array", items: TYPE, description: "Types of an entity." } },
        ["id", "name"],
      ),
    },
    cursor: { type: "integer", description: "Cursor of the next page, where there may be one." },
  },
};

/** Properties that entities of a type have. */
export const proposalSchema: JsonSchema = {
  title: "reconciliation-properties",
  description: "Properties that entities of a type have.",
  type: "object",
  additionalProperties: false,
  required: ["properties", "type"],
  properties: {
    type: { enum: [...MATCH_TYPES], description: "The type." },
    limit: { type: "integer", description: "Most properties asked for." },
    properties: {
      type: "array",
      description: "The properties.",
      items: object("proposed-property", "A property.", NAMED),
    },
  },
};

function object(
  title: string,
  description: string,
  members: Record<string, JsonSchema>,
  required = Object.keys(members),
): JsonSchema {
  return { title, description, type: "object", additionalProperties: false, required, properties: members };
}
