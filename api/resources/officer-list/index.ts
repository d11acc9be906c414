/** Owns a company's officer list: GET /company/:company_number/officers. */
import { etagOf } from "../define-record.ts";
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { defineResource } from "../define-resource.ts";
import { REGISTER_ROLES } from "../officer-appointment/order.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { fetchOfficerList, fetchRegisterView } from "./read.ts";
import { isRegisterPublic } from "./register-view.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const officerList = defineResource({
  name: "officer-list",
  path: "/company/:company_number/officers",
  scope: "company.read",
  summary: "The officers of a company, serving and resigned.",
  record: appointmentRecord,
  parameters: {
    items_per_page: itemsPerPage({ default: 35, maximum: 100, refusesBelowOne: true }),
    start_index: startIndex(),
    register_view: {
      kind: "boolean",
      description: "Only serving officers of the register that `register_type` names, where it is public.",
    },
    register_type: {
      kind: "choice",
      description: "The register to view; required with `register_view`.",
      values: Object.keys(REGISTER_ROLES),
    },
    order_by: {
      kind: "choice",
      description: "Order by latest appointment, latest resignation or surname; default: by role.",
      values: ["appointed_on", "surname", "resigned_on"],
    },
    filter: {
      kind: "choice",
      description: "`active` leaves out resigned officers, and all officers of a company that has ended.",
      values: ["active"],
    },
  },
  notFound: "company-profile-not-found",
  read: (records, { company_number = "" }, query) =>
    query.register_view
      ? fetchRegisterView(records, company_number, query, isRegisterPublic)
      : fetchOfficerList(records, company_number, query),
  hasRecords: async ({ counts, companyNumber: company_number }, records) =>
    counts.total > 0 || (await records.count(appointmentRecord, { company_number })) > 0,
  etag: ({ officers: [first] }) => first && etagOf(first),
  versions: [version1],
  example,
});
