/** Owns a company's officer list: GET /company/:company_number/officers. */
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { COVERAGE, linkSchema } from "../../core/schemas.ts";
import { etagOf } from "../define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import { officerSummarySchema, presentOfficer } from "../officer-appointment/index.ts";
import { REGISTER_ROLES } from "../officer-appointment/order.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { fetchOfficerList, fetchRegisterView, isRegisterPublic, type OfficerListRead } from "./read.ts";
import example from "./example.json" with { type: "json" };

const COUNT = { type: "integer", minimum: 0 };

const schema = {
  title: "officer-list",
  description: "A page of a company's officers, and how many there are of each kind.",
  type: "object",
  additionalProperties: false,
  required: [
    "active_count",
    "etag",
    "items",
    "items_per_page",
    "kind",
    "links",
    "resigned_count",
    "start_index",
    "total_results",
  ],
  properties: {
    active_count: { ...COUNT, description: "Officers of the company who are in office." },
    inactive_count: {
      ...COUNT,
      description: "Officers who have not resigned of a company that is dissolved, closed or converted.",
    },
    resigned_count: { ...COUNT, description: "Officers of the company who have resigned." },
    total_results: COUNT,
    items_per_page: { type: "integer", minimum: 1 },
    start_index: COUNT,
    kind: { const: "officer-list" },
    // Compat: the first item's, and empty where the page has none.
    etag: {
      type: "string",
      pattern: "^([0-9a-f]{40})?$",
      description: "Version of the first officer of the page. Empty where the page has none.",
    },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/officers$"),
    items: { type: "array", items: officerSummarySchema },
    coverage: COVERAGE,
  },
};

export const version1: ResourceVersion<OfficerListRead> = {
  version: 1,
  schema,
  present: ({ companyNumber, officers, counts, itemsPerPage, startIndex }) => ({
    active_count: counts.active,
    ...(counts.inactive === undefined ? {} : { inactive_count: counts.inactive }),
    resigned_count: counts.resigned,
    total_results: counts.total,
    items_per_page: itemsPerPage,
    start_index: startIndex,
    kind: "officer-list",
    etag: officers[0] ? etagOf(officers[0]) : "",
    links: { self: `/company/${companyNumber}/officers` },
    items: officers.map(presentOfficer),
  }),
};

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
