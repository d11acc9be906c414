/** Owns the company profile: GET /company/:company_number. */
import { defineResource } from "../define-resource.ts";
import { companyRecord } from "./record.ts";
import { version1, type CompanyRead } from "./v1.ts";

export const companyProfile = defineResource({
  name: "company-profile",
  path: "/company/:company_number",
  summary: "Basic company information.",
  record: companyRecord,
  parameters: {},
  notFound: "company-profile-not-found",
  read: async (records, { company_number: number }): Promise<CompanyRead | null> => {
    if (!number) return null;
    const company = await records.fetchOne(companyRecord, { _id: number });
    return company && { company, held: [] };
  },
  etag: ({ company }) => company.etag,
  versions: [version1],
});
