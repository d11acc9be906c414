/** Owns version 1 of a list of codes. */
import { linkSchema } from "../../core/schemas.ts";
import type { ResourceVersion } from "../define-resource.ts";

/** A list of codes, in the order published. */
export interface EnumerationRead {
  name: string;
  /** The code's text; null where none is published. */
  codes: { code: string; words: string | null }[];
}

const CODE = {
  title: "enumeration-code",
  description: "A code of the list.",
  type: "object",
  additionalProperties: false,
  required: ["code", "words"],
  properties: {
    code: { type: "string", minLength: 1, description: "The code, as in answers." },
    words: {
      type: ["string", "null"],
      description: "The words for people; null if none are published. Text in braces is replaced by a value.",
    },
  },
};

export const version1: ResourceVersion<EnumerationRead> = {
  version: 1,
  schema: {
    type: "object",
    description: "The codes of one list of the API, with their words.",
    additionalProperties: false,
    required: ["kind", "name", "items", "links"],
    properties: {
      kind: { const: "enumeration" },
      name: { type: "string", pattern: "^[a-z0-9_]+$", description: "Name of the list." },
      items: { type: "array", description: "The codes, in the order published.", items: CODE },
      links: linkSchema("self"),
    },
  },
  present: ({ name, codes }) => ({
    kind: "enumeration",
    name,
    items: codes,
    links: { self: `/enumerations/${name}` },
  }),
};
