/** Owns GET /advanced-search/companies.csv: all results of the advanced search, as one table. Not in the original. */
import type { Address } from "../core/address.ts";
import { filterParameters, buildFilter } from "./advanced-companies.ts";
import { ADDRESS_MEMBERS, presentAdvancedCompany } from "./answers/advanced-company.ts";
import { buildPage, COMPANY_ORDER } from "./clauses.ts";
import { defineDownload, RAW } from "./define-download.ts";
import type { SearchHit } from "./define-search.ts";

// Tuned: companies fetched at once; more delays other requests while they are written, fewer needs more requests to the engine.
const PAGE = 100;

const parameters = { ...filterParameters, raw: RAW } as const;

const COMPANY_COLUMNS = [
  "company_name",
  "company_number",
  "company_status",
  "company_type",
  "company_subtype",
  "date_of_creation",
  "date_of_cessation",
] as const;

export const downloadCompanies = defineDownload({
  name: "download-companies",
  path: "/advanced-search/companies.csv",
  summary: "Download all companies that the advanced search finds, as a CSV file.",
  parameters,
  indices: ["companies"],
  buildQuery: (values) => ({
    ...buildPage(buildFilter(values), { start_index: 0, items_per_page: PAGE }, COMPANY_ORDER),
    track_total_hits: false,
  }),
  columns: [...COMPANY_COLUMNS, "sic_codes", ...ADDRESS_MEMBERS],
  toRow,
  fileName: "companies.csv",
});

/** The members of the search's own items; several codes share one field, separated by spaces. */
function toRow(hit: SearchHit): Record<string, string | undefined> {
  const item = presentAdvancedCompany(hit) as Record<string, string | undefined>; // all but the two below are texts
  const address = item.registered_office_address as unknown as Address | undefined;
  const codes = item.sic_codes as unknown as string[] | undefined;
  return { ...item, sic_codes: codes?.join(" "), ...address };
}
