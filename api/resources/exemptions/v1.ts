/** Owns version 1 of a company's exemptions. */
import { ETAG, linkSchema } from "../../core/schemas.ts";
import { etagOf, type StoredRecord } from "../define-record.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { EXEMPTION_NAMES, exemptionItemsSchema, type CompanyExemptions } from "./members.ts";

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
