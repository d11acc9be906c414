/** Owns version 1 of a company's filing history. */
import { COVERAGE, ETAG } from "../../core/schemas.ts";
import { enumerationSchema } from "../../core/enumerations.ts";
import { contentHash } from "../../core/identifiers.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { filingSchema, presentFiling } from "../filing-history-item/v1.ts";
import type { FilingHistoryRead } from "./read.ts";
import { filingHistoryStatusOf } from "./status.ts";

const COUNT = { type: "integer", minimum: 0 };

const schema = {
  title: "filing-history-list",
  description: "A page of a company's filings, latest first.",
  type: "object",
  additionalProperties: false,
  required: [
    "etag",
    "filing_history_status",
    "items",
    "items_per_page",
    "kind",
    "start_index",
    "total_count",
  ],
  properties: {
    coverage: COVERAGE,
    etag: ETAG,
    filing_history_status: enumerationSchema("filing_history_status"),
    items: { type: "array", items: filingSchema },
    items_per_page: { type: "integer", minimum: 1 },
    kind: { const: "filing-history" },
    start_index: COUNT,
    total_count: { ...COUNT, description: "Number of filings in the filtered list." },
  },
};

export const version1: ResourceVersion<FilingHistoryRead> = {
  version: 1,
  schema,
  present: ({ companyNumber, filings, total, itemsPerPage, startIndex }) => ({
    etag: contentHash([companyNumber, total, filings.map(({ etag }) => etag)]),
    filing_history_status: filingHistoryStatusOf(companyNumber),
    items: filings.map(presentFiling),
    items_per_page: itemsPerPage,
    kind: "filing-history",
    start_index: startIndex,
    total_count: total,
  }),
};
