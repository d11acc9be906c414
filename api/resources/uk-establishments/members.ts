/** Owns the members of a list of UK establishments, as stored and as shown. */
import { ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";

const COMPANY_NUMBER = { type: "string", pattern: "^[A-Z0-9]{8}$" } as const;

/** The members of an establishment that the API shows as stored. */
export const establishmentMemberSchemas = {
  company_number: COMPANY_NUMBER,
  company_name: { type: "string", minLength: 1, maxLength: 300 },
  company_status: { type: "string", enum: ["open", "closed"] },
  locality: { type: "string", minLength: 1, maxLength: 300 },
} as const;

/** The stored establishments. */
export const ukEstablishmentsSchema = {
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
