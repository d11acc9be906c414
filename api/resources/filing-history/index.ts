/** Owns a company's filing history: GET /company/:company_number/filing-history. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { contentHash } from "../../shared/values/identifiers.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/paging.ts";
import { COVERAGE, ETAG } from "../../shared/schemas/schemas.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { filingSchema, presentFiling } from "../filing-history-item/index.ts";
import { filingRecord, type StoredFiling } from "../filing-history-item/record.ts";
import { filingHistoryStatusOf } from "./status.ts";
import example from "./example.json" with { type: "json" };

/** The query of the list, checked. */
interface FilingHistoryQuery {
  category: string[];
  items_per_page: number;
  start_index: number;
}

interface FilingHistoryRead {
  companyNumber: string;
  filings: StoredFiling[];
  total: number;
  itemsPerPage: number;
  startIndex: number;
}

// What a category includes besides itself (API reference 7.8).
const BRINGS: Record<string, string[]> = {
  "confirmation-statement": ["annual-return"],
  incorporation: [
    "change-of-constitution",
    "change-of-name",
    "court-order",
    "gazette",
    "reregistration",
    "resolution",
    "restoration",
  ],
};

/** The filings of a company; an unknown company has none, which is not a 404. */
async function fetchFilingHistory(
  records: RecordReader,
  companyNumber: string,
  query: FilingHistoryQuery,
): Promise<FilingHistoryRead> {
  const { category: categories, items_per_page: itemsPerPage, start_index: startIndex } = query;
  const filter = {
    company_number: companyNumber,
    ...(categories.length > 0 && { category: expandCategories(categories) }),
  };
  const [total, filings] = await Promise.all([
    records.count(filingRecord, filter),
    records.fetchPage(filingRecord, {
      filter,
      sort: [["filing_order", 1]],
      skip: startIndex,
      limit: itemsPerPage,
    }),
  ]);
  return { companyNumber, filings, total, itemsPerPage, startIndex };
}

/** Categories with everything they include; an unknown one matches nothing. */
function expandCategories(categories: string[]): string[] {
  return [...new Set(categories.flatMap((category) => [category, ...(BRINGS[category] ?? [])]))];
}

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

const version1: ResourceVersion<FilingHistoryRead> = {
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
