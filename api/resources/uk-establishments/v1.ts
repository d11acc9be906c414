/** Owns version 1 of the UK establishments of a company. */
import { COVERAGE, ETAG, linkSchema } from "../../core/schemas.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { establishmentMemberSchemas, type UkEstablishments } from "./members.ts";

/** The establishments of a company; the company's ETag when there are none. */
export interface UkEstablishmentsRead {
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

export const version1: ResourceVersion<UkEstablishmentsRead> = {
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
