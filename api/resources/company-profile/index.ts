/** Owns the company profile: GET /company/:company_number. */
import { etagOf } from "../define-record.ts";
import { defineResource, type RecordReader } from "../define-resource.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { companyRecord } from "./record.ts";
import { version1, type CompanyRead, type HeldLink } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const companyProfile = defineResource({
  name: "company-profile",
  path: "/company/:company_number",
  summary: "Basic company information.",
  record: companyRecord,
  parameters: {},
  notFound: "company-profile-not-found",
  read: async (records, { company_number: number }): Promise<CompanyRead | null> => {
    if (!number) return null;
    const [company, held] = await Promise.all([
      records.fetchOne(companyRecord, { _id: number }),
      fetchHeldLinks(records, number),
    ]);
    return company && { company, held };
  },
  etag: ({ company }) => etagOf(company),
  versions: [version1],
  example,
});

/** Links to lists that hold something: each costs one look into the index of its record. */
async function fetchHeldLinks(records: RecordReader, number: string): Promise<HeldLink[]> {
  const filter = { company_number: number };
  const officers = await records.fetchPage(appointmentRecord, { filter, sort: [], skip: 0, limit: 1 });
  return officers.length > 0 ? ["officers"] : [];
}
