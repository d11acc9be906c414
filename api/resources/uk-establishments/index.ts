/** Owns the UK establishments of a company: GET /company/:company_number/uk-establishments. */
import { companyRecord } from "../company-profile/record.ts";
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { ukEstablishmentsRecord } from "./record.ts";
import { version1, type UkEstablishmentsRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const ukEstablishments = defineResource({
  name: "uk-establishments",
  path: "/company/:company_number/uk-establishments",
  summary: "The UK establishments of an overseas company.",
  record: ukEstablishmentsRecord,
  parameters: {},
  notFound: "company-profile-not-found",
  read: async (records, { company_number = "" }): Promise<UkEstablishmentsRead | null> => {
    const stored = await records.fetchOne(ukEstablishmentsRecord, { _id: company_number });
    if (stored) return { company_number, etag: etagOf(stored), items: stored.data.items };
    const company = await records.fetchOne(companyRecord, { _id: company_number });
    return company && { company_number, etag: company.etag, items: [] };
  },
  versions: [version1],
  example,
});
