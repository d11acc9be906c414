/** Owns the registered office address: GET /company/:company_number/registered-office-address. */
import { companyRecord } from "../company-profile/record.ts";
import { defineResource } from "../define-resource.ts";
import { version1, type RegisteredOfficeRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const registeredOfficeAddress = defineResource({
  name: "registered-office-address",
  path: "/company/:company_number/registered-office-address",
  scope: "company.read",
  summary: "The current registered office address of a company.",
  record: companyRecord,
  parameters: {},
  notFound: "registered-office-address-not-found",
  read: async (records, { company_number: number }): Promise<RegisteredOfficeRead | null> => {
    if (!number) return null;
    const company = await records.fetchOne(companyRecord, { _id: number });
    const address = company?.data.registered_office_address;
    return company && address ? { company_number: number, etag: company.etag, address } : null;
  },
  versions: [version1],
  example,
});
