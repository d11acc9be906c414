/** The registered office address: GET /company/:company_number/registered-office-address. */
import { addressSchema } from "../../shared/values/address.ts";
import { ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { companyRecord } from "../company-profile/record.ts";
import { defineResource } from "../define-resource.ts";
import example from "./example.json" with { type: "json" };

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

export const registeredOfficeAddress = defineResource({
  name: "registered-office-address",
  path: "/company/:company_number/registered-office-address",
  scope: "company.read",
  summary: "The current registered office address of a company.",
  record: companyRecord,
  notFound: "registered-office-address-not-found",
  read: async (records, { company_number = "" }) => {
    const company = await records.fetchOne(companyRecord, { _id: company_number });
    const address = company?.data.registered_office_address;
    return company && address ? { company_number, etag: company.etag, address } : null;
  },
  schema,
  present: ({ company_number, etag, address }) => ({
    etag,
    kind: KIND,
    links: { self: `/company/${company_number}/registered-office-address` },
    ...address,
  }),
  example,
});
