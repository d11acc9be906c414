/** Owns the read behind a company's filing history: categories and what they include, the page, the count. */
import type { RecordReader } from "../define-resource.ts";
import { filingRecord, type StoredFiling } from "../filing-history-item/record.ts";

/** The query of the list, checked. */
export interface FilingHistoryQuery {
  category: string[];
  items_per_page: number;
  start_index: number;
}

export interface FilingHistoryRead {
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
export async function fetchFilingHistory(
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
