/** Owns the stored exemptions of a company from keeping a register of persons with significant control. */
import type { FromSchema } from "json-schema-to-ts";
import type { Members } from "../../shared/values/members.ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { asList, asMembers, convert, dropDerived } from "../../shared/definitions/incoming-resource.ts";
import { defineCompanyRecord } from "../define-company-record.ts";
import { COMPANY_NUMBER, listOf, objectOf } from "../schemas.ts";

/** The days of an exemption; one without an end is active. */
export const exemptionItemsSchema = {
  description: "The periods in which it is in force.",
  ...listOf(1000, {
    title: "exemption-period",
    description: "A period in which an exemption is in force. Without an end it is still in force.",
    ...objectOf(["exempt_from"], { exempt_from: DATE, exempt_to: DATE }),
  }),
} as const;

const exemptionSchema = objectOf(["items"], { items: exemptionItemsSchema });

/** The stored exemptions. */
const exemptionsSchema = objectOf(["company_number", "exemptions"], {
  company_number: COMPANY_NUMBER,
  etag: ETAG,
  exemptions: objectOf([], {
    disclosure_transparency_rules_chapter_five_applies: exemptionSchema,
    psc_exempt_as_shares_admitted_on_market: exemptionSchema,
    psc_exempt_as_trading_on_eu_regulated_market: exemptionSchema,
    psc_exempt_as_trading_on_regulated_market: exemptionSchema,
    psc_exempt_as_trading_on_uk_regulated_market: exemptionSchema,
  }),
});

/** The five exemptions, as members of `exemptions`. */
export const EXEMPTION_NAMES = Object.keys(exemptionsSchema.properties.exemptions.properties);

/** The exemptions of a company as stored. */
export type CompanyExemptions = FromSchema<typeof exemptionsSchema>;

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

/** Exemptions, by company number. */
export const exemptionsRecord = defineCompanyRecord<CompanyExemptions>({
  name: "exemptions",
  collection: "exemptions",
  schema: exemptionsSchema,
  // `exemptions` is the kind stated by the resource itself, also in lines of the PSC snapshot.
  kinds: ["company-exemptions", "exemptions"],
  hasStream: true,
  shownKinds: ["exemptions"],
  derived: {
    properties: {
      kind: {},
      exemptions: {
        properties: Object.fromEntries(
          EXEMPTION_NAMES.map((name) => [name, { properties: { exemption_type: {} } }]),
        ),
      },
    },
  },
  normalise: (members) => convert(members, "exemptions", normaliseEach),
});

/** False for a resource without an exemption, which the stream sends for a deleted one. */
export function hasExemptions({ exemptions }: CompanyExemptions): boolean {
  return Object.keys(exemptions).length > 0;
}
