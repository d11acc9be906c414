/** Owns GET /enumerations: the names of the API's lists of codes. Not in the original. */
import { enumerationKeys, enumerationNames } from "../../shared/values/enumerations.ts";
import { linkSchema } from "../../shared/schemas/schemas.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import example from "./example.json" with { type: "json" };

/** The lists, in the order published. */
type EnumerationListRead = { name: string; count: number }[];

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

const version1: ResourceVersion<EnumerationListRead> = {
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

export const enumerationList = defineResource({
  name: "enumeration-list",
  path: "/enumerations",
  scope: "search.read",
  isOpen: true,
  summary: "The lists of codes in answers, with their words.",
  parameters: {},
  notFound: "resource-not-found",
  read: (): Promise<EnumerationListRead> =>
    Promise.resolve(enumerationNames().map((name) => ({ name, count: enumerationKeys(name).length }))),
  // Its ETag is the hash of its content, because it has items.
  etag: () => undefined,
  versions: [version1],
  example,
});
