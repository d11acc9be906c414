/** Owns the UK establishments of a company: GET /company/:company_number/uk-establishments. */
import { companyRecord } from "../company-profile/record.ts";
import { defineResource } from "../define-resource.ts";
import { fetchEstablishments } from "./fetch.ts";
import { ukEstablishmentsRecord } from "./record.ts";
import { version1, type UkEstablishmentsRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

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
