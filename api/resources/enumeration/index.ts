/** Owns GET /enumerations/{name}: the codes of one list of the API, with their texts. Not in the original. */
import { enumerationKeys, enumerationLabel, enumerationNames } from "../../shared/values/enumerations.ts";
import { linkSchema } from "../../shared/schemas/schemas.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import example from "./example.json" with { type: "json" };

/** A list of codes, in the order published. */
interface EnumerationRead {
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

const version1: ResourceVersion<EnumerationRead> = {
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

export const enumeration = defineResource({
  name: "enumeration",
  path: "/enumerations/:enumeration_name",
  scope: "search.read",
  isOpen: true,
  summary: "The codes of one list of the API, with their words.",
  parameters: {},
  notFound: "enumeration-not-found",
  read: (_records, { enumeration_name: given }): Promise<EnumerationRead | null> => {
    const name = enumerationNames().find((other) => other === given);
    if (!name) return Promise.resolve(null);
    const codes = enumerationKeys(name).map((code) => {
      const words = enumerationLabel(name, code) ?? "";
      return { code, words: words === "" ? null : words };
    });
    return Promise.resolve({ name, codes });
  },
  // Its ETag is the hash of its content, because it has items.
  etag: () => undefined,
  versions: [version1],
  example,
});
