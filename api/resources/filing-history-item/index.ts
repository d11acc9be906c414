/** Owns one filing: GET /company/:company_number/filing-history/:transaction_id. */
import { defineResource } from "../define-resource.ts";
import { filingRecord } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

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
