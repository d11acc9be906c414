/** Owns one filing: GET /company/:company_number/filing-history/:transaction_id. It is also an item of a company's filing history. */
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import { filingMemberSchemas } from "./members.ts";
import { documentLinkSchema, filingRecord, type StoredFiling } from "./record.ts";
import example from "./example.json" with { type: "json" };

/** JSON Schema of a filing as answers show it. */
export const filingSchema = {
  title: "filing-history-item",
  description: "One filing of a company.",
  type: "object",
  additionalProperties: false,
  required: ["transaction_id", "type", "date", "category", "description", "links"],
  properties: {
    ...filingMemberSchemas,
    links: {
      type: "object",
      additionalProperties: false,
      required: ["self"],
      properties: {
        self: { type: "string", pattern: "^/company/[A-Z0-9]{8}/filing-history/[A-Za-z0-9_=-]+$" },
        document_metadata: documentLinkSchema,
      },
    },
  },
};

/** One filing as the API shows it. */
export function presentFiling({ data: filing }: StoredFiling): Record<string, unknown> {
  const { company_number: company, links, ...members } = filing;
  const self = `/company/${company}/filing-history/${filing.transaction_id}`;
  return { ...members, links: { self, ...links } };
}

export const version1: ResourceVersion<StoredFiling> = {
  version: 1,
  schema: filingSchema,
  present: presentFiling,
};

export const filingHistoryItem = defineResource({
  name: "filing-history-item",
  path: "/company/:company_number/filing-history/:transaction_id",
  scope: "company.read",
  summary: "One filing of a company.",
  record: filingRecord,
  parameters: {},
  notFound: "filing-history-item-not-found",
  // The company is part of the filter: another company's filing is not found here.
  read: (records, { company_number = "", transaction_id = "" }) =>
    records.fetchOne(filingRecord, { _id: transaction_id, company_number }),
  versions: [version1],
  example,
});
