/** Owns version 1 of the lists of codes. */
import { linkSchema } from "../../core/schemas.ts";
import type { ResourceVersion } from "../define-resource.ts";

/** The lists, in the order published. */
export type EnumerationListRead = { name: string; count: number }[];

const LIST = {
  title: "enumeration-list-item",
  description: "A list of codes.",
  type: "object",
  additionalProperties: false,
  required: ["name", "count", "links"],
  properties: {
    name: { type: "string", pattern: "^[a-z0-9_]+$", description: "Name of the list." },
    count: { type: "integer", minimum: 1, description: "Number of codes." },
    links: linkSchema("self"),
  },
};

export const version1: ResourceVersion<EnumerationListRead> = {
  version: 1,
  schema: {
    type: "object",
    description: "The lists of codes in answers.",
    additionalProperties: false,
    required: ["kind", "items", "links"],
    properties: {
      kind: { const: "enumeration-list" },
      items: { type: "array", description: "The lists, in the order published.", items: LIST },
      links: linkSchema("self"),
    },
  },
  present: (lists) => ({
    kind: "enumeration-list",
    items: lists.map((list) => ({ ...list, links: { self: `/enumerations/${list.name}` } })),
    links: { self: "/enumerations" },
  }),
};
