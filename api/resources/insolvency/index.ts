/** Owns a company's insolvency: GET /company/:company_number/insolvency. */
import { ETAG } from "../../shared/schemas/schemas.ts";
import { etagOf, type StoredRecord } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import { insolvencyMemberSchemas, insolvencyRecord, type CompanyInsolvency } from "./record.ts";
import example from "./example.json" with { type: "json" };

export const version1: ResourceVersion<StoredRecord<CompanyInsolvency>> = {
  version: 1,
  schema: {
    title: "company-insolvency",
    description: "The insolvency cases of a company.",
    type: "object",
    additionalProperties: false,
    required: ["etag", "cases"],
    properties: { etag: ETAG, ...insolvencyMemberSchemas },
  },
  present: (stored) => {
    const { cases, status } = stored.data;
    return { etag: etagOf(stored), ...(status ? { status } : {}), cases };
  },
};

export const insolvency = defineResource({
  name: "insolvency",
  aliases: ["company-insolvency"],
  path: "/company/:company_number/insolvency",
  scope: "company.read",
  summary: "The insolvency of a company: status and cases.",
  record: insolvencyRecord,
  parameters: {},
  notFound: "company-insolvencies-not-found",
  read: (records, { company_number = "" }) => records.fetchOne(insolvencyRecord, { _id: company_number }),
  versions: [version1],
  example,
  examplePath: { company_number: "99000045" },
});
