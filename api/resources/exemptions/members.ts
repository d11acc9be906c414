/** Owns the members of a company's exemptions, as stored and as shown. */
import { DATE, ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";

/** The days of an exemption; one without an end is active. */
export const exemptionItemsSchema = {
  type: "array",
  minItems: 1,
  maxItems: 1000,
  description: "The periods in which it is in force.",
  items: {
    title: "exemption-period",
    description: "A period in which an exemption is in force. Without an end it is still in force.",
    type: "object",
    additionalProperties: false,
    required: ["exempt_from"],
    properties: { exempt_from: DATE, exempt_to: DATE },
  },
} as const;

const exemptionSchema = {
  type: "object",
  additionalProperties: false,
  required: ["items"],
  properties: { items: exemptionItemsSchema },
} as const;

/** The stored exemptions. */
export const exemptionsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["company_number", "exemptions"],
  properties: {
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    etag: ETAG,
    exemptions: {
      type: "object",
      additionalProperties: false,
      properties: {
        disclosure_transparency_rules_chapter_five_applies: exemptionSchema,
        psc_exempt_as_shares_admitted_on_market: exemptionSchema,
        psc_exempt_as_trading_on_eu_regulated_market: exemptionSchema,
        psc_exempt_as_trading_on_regulated_market: exemptionSchema,
        psc_exempt_as_trading_on_uk_regulated_market: exemptionSchema,
      },
    },
  },
} as const;

/** The five exemptions, as members of `exemptions`. */
export const EXEMPTION_NAMES = Object.keys(exemptionsSchema.properties.exemptions.properties);

/** The exemptions of a company as stored. */
export type CompanyExemptions = FromSchema<typeof exemptionsSchema>;
