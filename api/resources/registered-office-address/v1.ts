/** Owns version 1 of the registered office address: its schema, and the address as the API shows it. */
import { ETAG, linkSchema } from "../../core/schemas.ts";
import { addressSchema, type Address } from "../../core/address.ts";
import type { ResourceVersion } from "../define-resource.ts";

/** The address of a company, with the ETag of the company it belongs to. */
export interface RegisteredOfficeRead {
  company_number: string;
  etag: string;
  address: Address;
}

const KIND = "registered-office-address";

const schema = {
  ...addressSchema,
  title: "registered-office-address",
  description: "The address at which a company is registered.",
  required: ["etag", "kind", "links"],
  properties: {
    ...addressSchema.properties,
    etag: ETAG,
    kind: { const: KIND },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/registered-office-address$"),
  },
};

export const version1: ResourceVersion<RegisteredOfficeRead> = {
  version: 1,
  schema,
  present: ({ company_number: number, etag, address }) => ({
    etag,
    kind: KIND,
    links: { self: `/company/${number}/registered-office-address` },
    ...address,
  }),
};
