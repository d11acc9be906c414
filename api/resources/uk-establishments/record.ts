/** Owns the stored UK establishments of an overseas company. */
import { ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";
import { defineRecord } from "../define-record.ts";
import { locateByCompany, SELF_LINK } from "../incoming-resource.ts";
import { normaliseUkEstablishments } from "./normalise.ts";

const COMPANY_NUMBER = { type: "string", pattern: "^[A-Z0-9]{8}$" } as const;

/** The members of an establishment that the API shows as stored. */
export const establishmentMemberSchemas = {
  company_number: COMPANY_NUMBER,
  company_name: { type: "string", minLength: 1, maxLength: 300 },
  company_status: { type: "string", enum: ["open", "closed"] },
  locality: { type: "string", minLength: 1, maxLength: 300 },
} as const;

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

/** Derived members. */
const derivedSchema = {
  properties: { kind: {}, items: { properties: { links: { properties: { company: {} } } } } },
};

/** The establishments of a company as stored. */
export type UkEstablishments = FromSchema<typeof ukEstablishmentsSchema>;

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
