/**
 * The exemptions of a company from keeping a register of persons with significant control:
 * GET /company/:company_number/exemptions.
 */
import {
  DATE,
  ETAG,
  linkSchema,
  COMPANY_NUMBER,
  objectWithOptional,
  listOf,
  objectOf,
} from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import type { FromSchema } from "json-schema-to-ts";
import type { Members } from "../../shared/values/members.ts";
import { asMembers, convert, dropDerived } from "../../shared/definitions/incoming-resource.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import { defineCompanyRecord, readOfCompany } from "../define-company-record.ts";
import example from "./example.json" with { type: "json" };

/** The periods of an exemption; one without an end is active. */
const exemptionItemsSchema = {
  description: "The periods in which it is in force.",
  ...listOf(1000, {
    title: "exemption-period",
    description: "A period in which an exemption is in force. Without an end it is still in force.",
    ...objectOf(["exempt_from"], { exempt_from: DATE, exempt_to: DATE }),
  }),
} as const;

const exemptionSchema = objectOf(["items"], { items: exemptionItemsSchema });

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
const EXEMPTION_NAMES = Object.keys(exemptionsSchema.properties.exemptions.properties);

type CompanyExemptions = FromSchema<typeof exemptionsSchema>;

function normaliseEach(value: unknown): Members {
  const given = Object.entries(asMembers(value, "exemptions"));
  const exemptions = given.map(([name, exemption]) => [name, normaliseExemption(name, exemption)] as const);
  // An exemption without a period was never in force.
  return Object.fromEntries(exemptions.filter(([, { items = [] }]) => (items as unknown[]).length > 0));
}

function normaliseExemption(name: string, value: unknown): Members {
  return dropDerived(asMembers(value, `exemptions.${name}`), "exemption_type", [toType(name)]);
}

/** Exemptions, by company number. */
export const exemptionsRecord = defineCompanyRecord<CompanyExemptions>({
  name: "exemptions",
  collection: "exemptions",
  schema: exemptionsSchema,
  // The resource itself, and lines of the PSC snapshot, state the kind as `exemptions`.
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

/** False for a resource without any exemption; the stream sends such a resource in place of a deleted one. */
export function hasExemptions({ exemptions }: CompanyExemptions): boolean {
  return Object.keys(exemptions).length > 0;
}

const schema = {
  title: "company-exemptions",
  description: "The exemptions of a company from naming its persons with significant control.",
  ...objectWithOptional([], {
    etag: ETAG,
    kind: { const: "exemptions" },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/exemptions$"),
    exemptions: {
      minProperties: 1,
      ...objectWithOptional(
        EXEMPTION_NAMES,
        Object.fromEntries(EXEMPTION_NAMES.map((name) => [name, schemaOf(toType(name))])),
      ),
    },
  }),
};

function schemaOf(type: string) {
  return {
    title: `${type}-exemption`,
    description: `Exemption of type \`${type}\`.`,
    ...objectWithOptional([], { exemption_type: { const: type }, items: exemptionItemsSchema }),
  };
}

/** An exemption's type is its name, hyphenated. */
function toType(name: string): string {
  return name.replaceAll("_", "-");
}

function presentExemptions(stored: StoredOf<typeof exemptionsRecord>) {
  const { company_number, exemptions } = stored.data;
  const shown = Object.entries(exemptions).map(([name, { items }]) => [
    name,
    { exemption_type: toType(name), items },
  ]);
  return {
    etag: etagOf(stored),
    kind: "exemptions",
    links: { self: `/company/${company_number}/exemptions` },
    exemptions: Object.fromEntries(shown) as unknown,
  };
}

export const exemptions = defineResource({
  name: "exemptions",
  aliases: ["company-exemptions"],
  path: "/company/:company_number/exemptions",
  scope: "company.read",
  summary: "The exemptions of a company from keeping a register of persons with significant control.",
  record: exemptionsRecord,
  notFound: "company-exemptions-not-found",
  read: readOfCompany(exemptionsRecord, hasExemptions),
  schema,
  present: presentExemptions,
  example,
});
