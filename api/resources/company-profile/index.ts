/** Owns the company profile: GET /company/:company_number. */
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { fetchLinks } from "./links.ts";
import { companyRecord } from "./record.ts";
import { version1, type CompanyRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const companyProfile = defineResource({
  name: "company-profile",
  path: "/company/:company_number",
  scope: "company.read",
  summary: "Basic company information.",
  record: companyRecord,
  parameters: {},
  notFound: "company-profile-not-found",
  read: async (records, { company_number: number }): Promise<CompanyRead | null> => {
    if (!number) return null;
    const [company, links] = await Promise.all([
      records.fetchOne(companyRecord, { _id: number }),
      fetchLinks(records, number),
    ]);
    return company && { company, links };
  },
  etag: ({ company }) => etagOf(company),
  // `overdue` changes with the day, links with the other collections.
  isComputed: true,
  versions: [version1],
  example,
});
