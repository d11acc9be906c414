/** Owns the stored UK establishments of an overseas company. */
import type { FromSchema } from "json-schema-to-ts";
import type { Members } from "../../shared/values/members.ts";
import { ETAG } from "../../shared/schemas/schemas.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asList,
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  dropEmpty,
  dropSelfLink,
  locateByCompany,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";

const COMPANY_NUMBER = { type: "string", pattern: "^[A-Z0-9]{8}$" } as const;

/** The members of an establishment that the API shows as stored. */
export const establishmentMemberSchemas = {
  company_number: COMPANY_NUMBER,
  company_name: { type: "string", minLength: 1, maxLength: 300 },
  company_status: { type: "string", enum: ["open", "closed"] },
  locality: { type: "string", minLength: 1, maxLength: 300 },
} as const;

/** The stored establishments. */
const ukEstablishmentsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["company_number", "items"],
  properties: {
    company_number: COMPANY_NUMBER,
    etag: ETAG,
    items: {
      type: "array",
      maxItems: 10_000,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["company_number", "company_name", "company_status"],
        properties: establishmentMemberSchemas,
      },
    },
  },
} as const;

/** The establishments of a company as stored. */
export type UkEstablishments = FromSchema<typeof ukEstablishmentsSchema>;

/** The forms of live answers, then those of the published schema. */
const KINDS = ["related-companies", "ukestablishment-companies"];

/** The establishments to store; the record's schema checks them afterwards. Throws RecordError. */
function normaliseUkEstablishments(resource: IncomingResource): UkEstablishments {
  const company_number = companyNumberOf(resource);
  const own = dropSelfLink(dropDerived(resource.data, "kind", KINDS));
  const content = convert(own, "items", (items) => asList(items).map(normaliseEstablishment));
  // The cast: the record's schema checks it afterwards.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as UkEstablishments;
}

/** The link of an establishment is derived from its number. */
function normaliseEstablishment(value: unknown): Members {
  const { links, ...rest } = asMembers(value, "items");
  if (links === undefined) return rest;
  const own = [`/company/${String(rest.company_number)}`];
  const others = dropDerived(asMembers(links, "items.links"), "company", own);
  return dropEmpty({ ...rest, links: others }, "links");
}

/** Derived members. */
const derivedSchema = {
  properties: { kind: {}, items: { properties: { links: { properties: { company: {} } } } } },
};

/** Lists of establishments, by the number of the company they belong to. */
export const ukEstablishmentsRecord = defineRecord({
  name: "uk-establishments",
  collection: "uk_establishments",
  schema: ukEstablishmentsSchema,
  identify: (establishments: UkEstablishments) => establishments.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  incoming: {
    kinds: ["uk-establishments", "uk_establishments"],
    known: [ukEstablishmentsSchema, derivedSchema, SELF_LINK],
    normalise: normaliseUkEstablishments,
    locate: locateByCompany,
  },
});
