/**
 * The API's lists of codes: GET /enumerations names the lists, GET /enumerations/{name} shows the codes of one list
 * with their words. The original has no such resources.
 */
import { enumerationKeys, enumerationLabel, enumerationNames } from "../../shared/values/enumerations.ts";
import { linkSchema, objectWithOptional } from "../../shared/schemas/schemas.ts";
import { defineResource } from "../define-resource.ts";
import examples from "./examples.json" with { type: "json" };

const NAME = { type: "string", pattern: "^[a-z0-9_]+$", description: "Name of the list." };

const codeSchema = {
  title: "enumeration-code",
  description: "A code of the list.",
  ...objectWithOptional([], {
    code: { type: "string", minLength: 1, description: "The code, as in answers." },
    words: {
      type: ["string", "null"],
      description: "The words for people; null if none are published. Text in braces is replaced by a value.",
    },
  }),
};

export const enumeration = defineResource({
  name: "enumeration",
  path: "/enumerations/:enumeration_name",
  scope: "search.read",
  isOpen: true,
  summary: "The codes of one list of the API, with their words.",
  notFound: "enumeration-not-found",
  read: (_records, { enumeration_name: given }) =>
    Promise.resolve(enumerationNames().find((name) => name === given) ?? null),
  hasEtag: true,
  schema: {
    description: "The codes of one list of the API, with their words.",
    ...objectWithOptional([], {
      kind: { const: "enumeration" },
      name: NAME,
      items: { type: "array", description: "The codes, in the order published.", items: codeSchema },
      links: linkSchema("self"),
    }),
  },
  present: (name) => ({
    kind: "enumeration",
    name,
    items: enumerationKeys(name).map((code) => ({ code, words: enumerationLabel(name, code) ?? null })),
    links: { self: `/enumerations/${name}` },
  }),
  example: examples.enumeration,
});

const listedSchema = {
  title: "enumeration-list-item",
  description: "A list of codes.",
  ...objectWithOptional([], {
    name: NAME,
    count: { type: "integer", minimum: 1, description: "Number of codes." },
    links: linkSchema("self"),
  }),
};

export const enumerationList = defineResource({
  name: "enumeration-list",
  path: "/enumerations",
  scope: "search.read",
  isOpen: true,
  summary: "The lists of codes in answers, with their words.",
  notFound: "resource-not-found",
  read: () => Promise.resolve(enumerationNames()),
  hasEtag: true,
  schema: {
    description: "The lists of codes in answers.",
    ...objectWithOptional([], {
      kind: { const: "enumeration-list" },
      items: { type: "array", description: "The lists, in the order published.", items: listedSchema },
      links: linkSchema("self"),
    }),
  },
  present: (names) => ({
    kind: "enumeration-list",
    items: names.map((name) => ({
      name,
      count: enumerationKeys(name).length,
      links: { self: `/enumerations/${name}` },
    })),
    links: { self: "/enumerations" },
  }),
  example: examples["enumeration-list"],
});
