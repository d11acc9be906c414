/** Owns a company's exemptions: GET /company/:company_number/exemptions. */
import { ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { etagOf, type StoredRecord } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import {
  EXEMPTION_NAMES,
  exemptionItemsSchema,
  exemptionsRecord,
  hasExemptions,
  type CompanyExemptions,
} from "./record.ts";
import example from "./example.json" with { type: "json" };

const schema = {
  title: "company-exemptions",
  description: "The exemptions of a company from naming its persons with significant control.",
  type: "object",
  additionalProperties: false,
  required: ["etag", "exemptions", "kind", "links"],
  properties: {
    etag: ETAG,
    kind: { const: "exemptions" },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/exemptions$"),
    exemptions: {
      type: "object",
      additionalProperties: false,
      minProperties: 1,
      properties: Object.fromEntries(EXEMPTION_NAMES.map((name) => [name, buildExemptionSchema(name)])),
    },
  },
};

export const version1: ResourceVersion<StoredRecord<CompanyExemptions>> = {
  version: 1,
  schema,
  present: (stored) => ({
    etag: etagOf(stored),
    kind: "exemptions",
    links: { self: `/company/${stored.data.company_number}/exemptions` },
    exemptions: Object.fromEntries(
      Object.entries(stored.data.exemptions).map(([name, { items }]) => [
        name,
        { exemption_type: toType(name), items },
      ]),
    ),
  }),
};

function buildExemptionSchema(name: string): Record<string, unknown> {
  return {
    title: `${toType(name)}-exemption`,
    description: `Exemption of type \`${toType(name)}\`.`,
    type: "object",
    additionalProperties: false,
    required: ["exemption_type", "items"],
    properties: { exemption_type: { const: toType(name) }, items: exemptionItemsSchema },
  };
}

/** An exemption's type is its name, hyphenated. */
function toType(name: string): string {
  return name.replaceAll("_", "-");
}

export const exemptions = defineResource({
  name: "exemptions",
  aliases: ["company-exemptions"],
  path: "/company/:company_number/exemptions",
  scope: "company.read",
  summary: "The exemptions of a company from keeping a register of persons with significant control.",
  record: exemptionsRecord,
  parameters: {},
  notFound: "company-exemptions-not-found",
  read: async (records, { company_number = "" }) => {
    const stored = await records.fetchOne(exemptionsRecord, { _id: company_number });
    return stored && hasExemptions(stored.data) ? stored : null;
  },
  versions: [version1],
  example,
});
