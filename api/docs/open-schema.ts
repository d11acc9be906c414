/**
 * The schemas of answers in the OpenAPI document. They are derived from the strict schemas that check our own answers.
 * Here objects and lists of values are open, and each member has a description: its schema's own, or the one for its
 * name. Each titled schema has one entry, and all uses refer to it.
 */
import { isDeepStrictEqual } from "node:util";
import { labelsOfTitle } from "../shared/values/enumerations.ts";
import { isMembers } from "../shared/values/members.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import { memberDescriptions } from "./words/members.ts";

/** The schemas of one document, while they are collected. */
export interface Components {
  /** Adds the open form of a strict schema; default name: its title. Returns a reference to it. */
  refer: (schema: JsonSchema, name?: string) => JsonSchema;
  schemas: Record<string, JsonSchema>;
}

// Limit: the values of a longer list are not written out. The two such lists, of filings and of filings about charges,
// would be a quarter of the document. Clients also need their texts, which the original publishes with the values.
const MOST_VALUES = 100;

// Left out: these limit what a load accepts, and a longer text or list breaks no client.
const LIMITS: ReadonlySet<string> = new Set([
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
]);

/**
 * Makes the open form of a schema, and adds titled schemas inside it to the components. It uses only forms that the
 * usual generators of clients understand (`test/unit/docs/generators.test.ts`): a list of values is a text, a fixed
 * value has a type, and the choices of a union differ in their type or their `kind`.
 */
function openSchema(schema: JsonSchema, components: Components, areLinks = false): JsonSchema {
  if (Array.isArray(schema.enum)) return openValues(schema, schema.enum);
  if (schema.const !== undefined) return openConstant(schema, schema.const);
  const { additionalProperties: more, properties, items, anyOf } = schema;
  const show = (below: JsonSchema) => showSchema(below, components);
  // Without `additionalProperties: false`, because by the contract a new member is no breaking change.
  return {
    ...without(schema, ["title", "additionalProperties", "anyOf"]),
    ...(isMembers(properties) && { properties: openMembers(properties, components, areLinks) }),
    ...(isMembers(items) && { items: show(items) }),
    ...(Array.isArray(anyOf) && openChoices(anyOf.filter(isMembers), show)),
    ...(isMembers(more) && { additionalProperties: show(more) }),
  };
}

function titleOf({ title }: JsonSchema): string | undefined {
  return typeof title === "string" ? title : undefined;
}

function showSchema(schema: JsonSchema, components: Components, areLinks = false): JsonSchema {
  return titleOf(schema) === undefined ? openSchema(schema, components, areLinks) : components.refer(schema);
}

function openMembers(
  members: Record<string, unknown>,
  components: Components,
  areLinks: boolean,
): JsonSchema {
  const shown = Object.entries(members).map(([name, member]) => {
    const schema = member as JsonSchema; // `properties` contains schemas
    const description = describeMember(areLinks ? `links.${name}` : name, schema);
    const form = showSchema(schema, components, areLinks || name === "links");
    const isAddress = areLinks && form.type === "string";
    return [name, { ...(isAddress ? toAddress(form) : form), ...(description && { description }) }] as const;
  });
  return Object.fromEntries(shown);
}

/** An address without its pattern, which is no promise: clients follow addresses unchanged. */
function toAddress({ format = "uri-reference" }: JsonSchema): JsonSchema {
  return { type: "string", format };
}

/** A list of values becomes any text, so that clients that check answers accept new values. It names the known ones. */
function openValues(schema: JsonSchema, values: unknown[]): JsonSchema {
  const text = { ...without(schema, ["title", "type", "enum"]), type: "string" };
  if (values.length > MOST_VALUES) return text;
  const labels = labelsOfTitle(titleOf(schema) ?? "", values.map(String));
  return { ...text, "x-extensible-enum": values, ...(labels && { "x-enum-descriptions": labels }) };
}

/** A fixed text keeps its value. `true` becomes a flag, because most languages have no type for `true` alone. */
function openConstant(schema: JsonSchema, value: unknown): JsonSchema {
  const type = typeof value;
  return { ...without(schema, ["const"]), type, ...(type === "string" && { const: value }) };
}

/** A union of texts becomes one text, with the values of the one that has a list. Objects differ by their `kind`. */
function openChoices(choices: JsonSchema[], show: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const list = choices.find((choice) => Array.isArray(choice.enum));
  if (choices.every(isText)) return list ? show(list) : { type: "string" };
  const oneOf = choices.map(show);
  const kinds = choices.map(kindOf).filter((kind) => kind !== undefined);
  if (kinds.length < choices.length) return { oneOf };
  const mapping = Object.fromEntries(kinds.map((kind, index) => [kind, oneOf[index]?.$ref] as const));
  return { oneOf, discriminator: { propertyName: "kind", mapping } };
}

function isText(schema: JsonSchema): boolean {
  return schema.type === "string" || typeof schema.const === "string" || Array.isArray(schema.enum);
}

function kindOf({ properties }: JsonSchema): string | undefined {
  const kind = isMembers(properties) && isMembers(properties.kind) ? properties.kind.const : undefined;
  return typeof kind === "string" ? kind : undefined;
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => !names.includes(name) && !LIMITS.has(name)),
  );
}

const IS_OF_LINKS = /-links?$/;

/** Starts a collection. Its `refer` throws when two different schemas have the same name. */
export function collectComponents(): Components {
  const sources = new Map<string, JsonSchema>();
  const components: Components = {
    schemas: {},
    refer: (schema, name = titleOf(schema)) => {
      if (name === undefined) throw new Error("a schema without a title needs a name");
      if (sources.get(name) === schema) return referTo(name);
      if (!sources.has(name)) {
        sources.set(name, schema);
        // Reserves its place, so that an answer comes before its parts in the document.
        components.schemas[name] = {};
      }
      const description = describeSchema(name, schema);
      const shown = openSchema(schema, components, IS_OF_LINKS.test(name));
      const component = { ...(description && { description }), ...shown };
      const present = components.schemas[name] ?? {};
      if (Object.keys(present).length > 0 && !isDeepStrictEqual(present, component)) {
        throw new Error(`two different schemas have the title ${name}: give one of them another`);
      }
      components.schemas[name] = component;
      return referTo(name);
    },
  };
  return components;
}

function referTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Descriptions of lists of values, by their name in the OpenAPI document, which also has the labels of the values. */
export const valueDescriptions: Readonly<Record<string, string>> = {
  "account-type": "Type of a company's accounts.",
  "capital-contribution-sub-type": "One part of a limited partner's contribution, such as money or land.",
  "charge-assets-ceased-released":
    "Whether property was released from the charge, or ceased to belong to the company, in whole or in part.",
  "charge-classification-type": "Whether the charge is described by its description or its nature.",
  "charge-particulars-type": "Kind of the particulars of a charge.",
  "charge-secured-details-type": "Whether a charge secures an amount or obligations.",
  "charge-status": "Whether a charge is outstanding, or satisfied in part or in full.",
  "company-search-description": "Code of the text that says how a company began or ended.",
  "company-status": "Whether a company is active, or how it ended.",
  "company-status-detail": "Further detail of the status, such as a proposal to strike the company off.",
  "company-subtype": "Kind of company within its legal form, such as a community interest company.",
  "company-type": "Legal form of a company.",
  "corporate-annotation-type": "Kind of a registrar's note on a company's record.",
  "disqualification-act": "The act under which an officer was disqualified.",
  "disqualification-reason-description-identifier": "Reason for which an officer was disqualified.",
  "disqualification-type":
    "Whether a court ordered it, the officer gave an undertaking, or it is a sanction.",
  "disqualified-officer-search-description": "Code of the text that describes a disqualified officer.",
  "filing-history-category": "What a filing is about.",
  "filing-history-description":
    "Code of the sentence that describes a filing; with `legacy`, `description_values.description` has the text itself. " +
    "The sentences are published: filing_history_descriptions.yml of github.com/companieshouse/api-enumerations.",
  "filing-history-resolution-category": "What a resolution is about.",
  "filing-history-status": "Whether the filing history of companies with such a number is available.",
  "filing-history-subcategory": "What a filing is about within its category.",
  "foreign-account-type": "Whether the accounting requirements of the home country apply.",
  "identification-type":
    "Where a corporate officer is registered: in the UK, in or outside the EEA, or elsewhere.",
  "insolvency-case-date-type": "What happened on an important date in an insolvency case.",
  "insolvency-case-type": "Kind of an insolvency case.",
  "insolvency-practitioner-role": "Role of an insolvency practitioner.",
  "insolvency-status": "State of a company's insolvency.",
  jurisdiction: "Part of the United Kingdom, or region, in which a company is registered.",
  "mortgage-filing-type":
    "What was filed about a charge. The texts are published: mortgage_descriptions.yml of github.com/companieshouse/api-enumerations.",
  notes: "Note on an insolvency case.",
  "officer-role": "Role of an officer in a company.",
  "officer-search-description": "Code of the text that describes an officer.",
  "partial-data-available": "Who holds the full data, if the registrar is not its primary source.",
  "psc-kind": "Kind of a person or body with significant control.",
  "psc-natures-of-control": "One way in which a person or body controls a company.",
  "psc-statement": "What a company states about its persons with significant control.",
  "psc-statement-restrictions-notice-withdrawal-reason": "Why a notice of restrictions was withdrawn.",
  "psc-super-secure-description": "Says that the details of a person with significant control are protected.",
  "register-locations": "Where a register is kept.",
  "terms-of-account-publication": "How the day of a company's account publication is set.",
};

/** Describes a member: in its own words, else in those for its name, else in those of a shared schema or list. */
function describeMember(name: string, schema: JsonSchema): string | undefined {
  if (typeof schema.title === "string")
    return memberDescriptions[name] ?? describeSchema(schema.title, schema);
  const own = typeof schema.description === "string" ? schema.description : undefined;
  const [list] = (Array.isArray(schema.anyOf) ? schema.anyOf : []) as unknown[];
  return own ?? memberDescriptions[name] ?? (isMembers(list) ? describeMember(name, list) : undefined);
}

function describeSchema(name: string, { description }: JsonSchema): string | undefined {
  return typeof description === "string" ? description : (valueDescriptions[name] ?? linkWords(name));
}

/** The description of a schema of links with one member: `self-link`. */
function linkWords(name: string): string | undefined {
  const link = /^(.+)-link$/.exec(name)?.[1]?.replaceAll("-", "_");
  return link && memberDescriptions[`links.${link}`];
}
