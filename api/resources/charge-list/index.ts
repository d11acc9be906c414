/** Owns a company's charge list: GET /company/:company_number/charges. */
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { chargeRecord } from "../charge/record.ts";
import { defineResource } from "../define-resource.ts";
import { fetchChargeList } from "./read.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const chargeList = defineResource({
  name: "charge-list",
  path: "/company/:company_number/charges",
  scope: "company.read",
  summary: "The charges on a company's assets, latest first.",
  record: chargeRecord,
  parameters: {
    filter: {
      kind: "choice",
      description: "`outstanding` leaves out charges that are satisfied.",
      values: ["outstanding"],
    },
    items_per_page: itemsPerPage({ default: 25, maximum: 100 }),
    start_index: startIndex(),
  },
  // Compat: 404 only for an unknown company, as the original did for years; a company without charges has counts of zero.
  notFound: "company-mortgages-not-found",
  read: (records, { company_number = "" }, query) => fetchChargeList(records, company_number, query),
  hasRecords: ({ counts }) => counts.all > 0,
  versions: [version1],
  example,
});
