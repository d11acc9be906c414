/** Owns the stored exemptions of a company from keeping a register of persons with significant control. */
import type { FromSchema } from "json-schema-to-ts";
import type { Members } from "../../shared/values/members.ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asList,
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  dropSelfLink,
  locateByCompany,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";

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
const exemptionsSchema = {
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

/** The exemptions to store; the record's schema checks them afterwards. Throws RecordError. */
function normaliseExemptions(resource: IncomingResource): CompanyExemptions {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "kind", ["exemptions"]);
  const content = convert(dropSelfLink(own), "exemptions", normaliseEach);
  // The cast: the record's schema checks it afterwards.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as CompanyExemptions;
}

function normaliseEach(value: unknown): Members {
  const exemptions = Object.entries(asMembers(value, "exemptions"));
  return Object.fromEntries(
    exemptions.map(([name, exemption]) => [name, normaliseExemption(name, exemption)]),
  );
}

function normaliseExemption(name: string, value: unknown): Members {
  const exemption = asMembers(value, `exemptions.${name}`);
  return convert(dropDerived(exemption, "exemption_type", [name.replaceAll("_", "-")]), "items", asList);
}

/** Derived members. */
const derivedSchema = {
  properties: {
    kind: {},
    exemptions: {
      properties: Object.fromEntries(
        EXEMPTION_NAMES.map((name) => [name, { properties: { exemption_type: {} } }]),
      ),
    },
  },
};

/** Exemptions, by company number. */
export const exemptionsRecord = defineRecord({
  name: "exemptions",
  collection: "exemptions",
  schema: exemptionsSchema,
  identify: (exemptions: CompanyExemptions) => exemptions.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  // `exemptions` is the kind stated by the resource itself, also in lines of the PSC snapshot.
  incoming: {
    kinds: ["company-exemptions", "exemptions"],
    known: [exemptionsSchema, derivedSchema, SELF_LINK],
    normalise: normaliseExemptions,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({
      kind: "company-exemptions",
      uri: `/company/${id}/exemptions`,
      id,
    }),
  },
});

/** False for a resource without an exemption, which the stream sends for a deleted one. */
export function hasExemptions({ exemptions }: CompanyExemptions): boolean {
  return Object.keys(exemptions).length > 0;
}
