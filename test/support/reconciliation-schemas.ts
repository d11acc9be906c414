/** JSON Schemas of the reconciliation service's answers, written from version 0.2 of its specification. */
import type { JsonSchema } from "../../api/shared/schemas/validate.ts";
import { objectOf, objectWithOptional } from "../../api/shared/schemas/schemas.ts";
import { FACTS, MATCH_TYPES } from "../../api/matching/define-match.ts";

const TEXT = { type: "string" };
const NAME = { type: "string", minLength: 1 };
const TEMPLATE = { type: "string", pattern: "\\{\\{id\\}\\}" };
const ADDRESS = { type: "string", format: "uri" };

/** The schema of an object with these members; all but the optional ones are required. */
function object(
  title: string,
  description: string,
  members: Record<string, JsonSchema>,
  optional: string[] = [],
): JsonSchema {
  return { title, description, ...objectWithOptional(optional, members) };
}

const TYPE = object("entity-type", "A type of entities.", {
  id: { enum: [...MATCH_TYPES], description: "Identifier of the type." },
  name: { ...NAME, description: "Its name." },
});

const TYPES = { type: "array", items: TYPE };

const SERVICE = object(
  "reconciliation-service-path",
  "Address of a part of the service, in two texts to be joined.",
  {
    service_url: { ...NAME, description: "Beginning of the address." },
    service_path: { ...NAME, description: "Rest of the address." },
  },
);

export const manifestSchema = object(
  "reconciliation-manifest",
  "The reconciliation service and the addresses of its parts.",
  {
    versions: { type: "array", contains: { const: "0.2" }, items: TEXT, description: "Versions of its API." },
    name: { ...NAME, description: "Name of the service." },
    identifierSpace: { ...ADDRESS, description: "Namespace of the identifiers." },
    schemaSpace: { ...ADDRESS, description: "Namespace of the properties." },
    documentation: { ...ADDRESS, description: "Page of the service for people." },
    defaultTypes: { ...TYPES, uniqueItems: true, description: "All types." },
    view: object("reconciliation-view", "Where an entity is shown.", { url: TEMPLATE }),
    preview: object(
      "reconciliation-preview",
      "Where an entity is shown in a frame, and the size of the frame.",
      { url: TEMPLATE, width: { type: "integer" }, height: { type: "integer" } },
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
  ["documentation", "defaultTypes", "view", "preview", "suggest", "extend", "batchSize", "authentication"],
);

const FEATURE = object(
  "match-feature",
  "A part of the score: the likeness of the name, or whether a fact agrees.",
  {
    id: { enum: ["name", ...FACTS], description: "What was compared." },
    value: {
      type: ["number", "boolean"],
      description: "Likeness from 0 to 100, or whether the fact agrees.",
    },
  },
);

const CANDIDATE = object(
  "match-candidate",
  "An entity that a query may mean.",
  {
    id: { ...NAME, description: "Company number, or type and identifier of a person." },
    name: { ...NAME, description: "Present name." },
    description: { ...NAME, description: "Description, in words." },
    type: { ...TYPES, description: "Its type." },
    score: { type: "number", minimum: 0, maximum: 100, description: "How well it matches the query." },
    match: { type: "boolean", description: "True: right in at least 99 of 100 cases." },
    features: { type: "array", items: FEATURE, description: "Parts of the score." },
    reasons: { type: "array", items: TEXT, description: "Why, in words." },
  },
  ["description"],
);

export const resultBatchSchema: JsonSchema = {
  title: "reconciliation-results",
  description: "Results by the keys of their queries.",
  type: "object",
  additionalProperties: object(
    "reconciliation-result",
    "What was found for a query.",
    {
      result: { type: "array", items: CANDIDATE, description: "Candidates, the best first." },
      notes: { type: "array", items: TEXT, description: "Parts of the query that could not be used." },
    },
    ["notes"],
  ),
};

const VALUE: JsonSchema = {
  title: "extension-value",
  description: "A value: a text, a number, a day or an entity.",
  minProperties: 1,
  maxProperties: 2,
  ...objectOf([], {
    str: { ...TEXT, description: "A text." },
    int: { type: "integer", description: "A whole number." },
    date: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T00:00:00Z$", description: "A day." },
    id: { ...NAME, description: "Identifier of an entity." },
    name: { ...NAME, description: "Name of the entity." },
  }),
};

export const extensionSchema = object("reconciliation-extension", "Values by entity and property.", {
  meta: {
    type: "array",
    description: "The properties, in the order asked for.",
    items: object("extension-property", "A property.", { id: NAME, name: NAME, type: TYPE }, ["type"]),
  },
  rows: {
    type: "object",
    description: "Values by entity and property.",
    additionalProperties: { type: "object", additionalProperties: { type: "array", items: VALUE } },
  },
});

const NAMED = {
  id: { ...NAME, description: "Identifier." },
  name: { ...NAME, description: "Name." },
  description: { ...NAME, description: "More, in words." },
};

const SUGGESTION = object(
  "reconciliation-suggestion",
  "A suggestion.",
  { ...NAMED, notable: { ...TYPES, description: "Types of an entity." } },
  ["description", "notable"],
);

/** Suggestions of entities, properties or types. */
export const suggestionsSchema = object(
  "reconciliation-suggestions",
  "Entities whose names begin with the text.",
  {
    result: { type: "array", description: "Suggestions, the best first.", items: SUGGESTION },
    cursor: { type: "integer", description: "Cursor of the next page, where there may be one." },
  },
  ["cursor"],
);

export const proposalSchema = object(
  "reconciliation-properties",
  "Properties that entities of a type have.",
  {
    type: { enum: [...MATCH_TYPES], description: "The type." },
    limit: { type: "integer", description: "Most properties asked for." },
    properties: {
      type: "array",
      description: "The properties.",
      items: object("proposed-property", "A property.", NAMED),
    },
  },
  ["limit"],
);
