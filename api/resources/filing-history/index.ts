/** Owns a company's filing history: GET /company/:company_number/filing-history. */
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { defineResource } from "../define-resource.ts";
import { filingRecord } from "../filing-history-item/record.ts";
import { fetchFilingHistory } from "./read.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const filingHistory = defineResource({
  name: "filing-history",
  aliases: ["filing-history-list"],
  path: "/company/:company_number/filing-history",
  scope: "company.read",
  summary: "The filings of a company, latest first.",
  record: filingRecord,
  parameters: {
    category: {
      kind: "list",
      description:
        "Categories of filings to list. `confirmation-statement` includes annual returns, `incorporation` includes " +
        "changes of constitution and name, court orders, gazette notices, re-registrations, resolutions and restorations.",
    },
    items_per_page: itemsPerPage({ default: 25, maximum: 100 }),
    start_index: startIndex(),
  },
  // Compat: an unknown company gets an empty list, as at the current original.
  notFound: "filing-history-item-not-found",
  read: (records, { company_number = "" }, query) => fetchFilingHistory(records, company_number, query),
  hasRecords: async ({ total, companyNumber: company_number }, records) =>
    total > 0 || (await records.count(filingRecord, { company_number })) > 0,
  versions: [version1],
  example,
});
