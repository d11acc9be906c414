/** Owns the UK establishments of a company: GET /company/:company_number/uk-establishments. */
import { COVERAGE, ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { companyRecord } from "../company-profile/record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import { fetchEstablishments } from "./fetch.ts";
import { establishmentMemberSchemas, ukEstablishmentsRecord, type UkEstablishments } from "./record.ts";
import example from "./example.json" with { type: "json" };

/** The establishments of a company; the company's ETag when there are none. */
interface UkEstablishmentsRead {
  company_number: string;
  etag: string;
  items: UkEstablishments["items"];
}

const COMPANY_LINK = "^/company/[A-Z0-9]{8}$";

const establishmentSchema = {
  title: "uk-establishment",
  description: "A UK establishment of an overseas company.",
  type: "object",
  additionalProperties: false,
  required: ["company_number", "company_name", "company_status", "links"],
  properties: {
    ...establishmentMemberSchemas,
    links: linkSchema("company", COMPANY_LINK),
  },
};

const version1: ResourceVersion<UkEstablishmentsRead> = {
  version: 1,
  schema: {
    title: "company-uk-establishments",
    description: "The UK establishments of an overseas company.",
    type: "object",
    additionalProperties: false,
    required: ["etag", "kind", "links", "items"],
    properties: {
      etag: ETAG,
      // Compat: live answers say so; the published schema has `ukestablishment-companies`.
      kind: { const: "related-companies" },
      links: linkSchema("self", COMPANY_LINK),
      items: { type: "array", items: establishmentSchema },
      coverage: COVERAGE,
    },
  },
  present: ({ company_number, etag, items }) => ({
    etag,
    kind: "related-companies",
    links: { self: `/company/${company_number}` },
    items: items.map((item) => ({ ...item, links: { company: `/company/${item.company_number}` } })),
  }),
};

export const ukEstablishments = defineResource({
  name: "uk-establishments",
  aliases: ["company-uk-establishments"],
  path: "/company/:company_number/uk-establishments",
  scope: "company.read",
  summary: "The UK establishments of an overseas company.",
  record: ukEstablishmentsRecord,
  parameters: {},
  notFound: "company-profile-not-found",
  read: async (records, { company_number = "" }): Promise<UkEstablishmentsRead | null> => {
    const { items, etag } = await fetchEstablishments(records, company_number);
    if (etag) return { company_number, etag, items };
    const company = await records.fetchOne(companyRecord, { _id: company_number });
    return company && { company_number, etag: company.etag, items: [] };
  },
  hasRecords: ({ items }) => items.length > 0,
  versions: [version1],
  example,
  examplePath: { company_number: "FC099001" },
});
