/** Owns version 1 of a company's officer list. */
import { COVERAGE, linkSchema } from "../../core/schemas.ts";
import { etagOf } from "../define-record.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { officerSummarySchema, presentOfficer } from "../officer-appointment/v1.ts";
import type { OfficerListRead } from "./read.ts";

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
