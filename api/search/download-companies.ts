/** Owns GET /advanced-search/companies.csv: all results of the advanced search, as one table. Not in the original. */
import type { Address } from "../shared/values/address.ts";
import { describeSic, enumerationLabel } from "../shared/values/enumerations.ts";
import { filterParameters, buildFilter } from "./advanced-companies.ts";
import { ADDRESS_MEMBERS, presentAdvancedCompany } from "./answers/advanced-company.ts";
import { buildPage, COMPANY_ORDER } from "./clauses.ts";
import { defineDownload, TABLE_PARAMETERS } from "./define-download.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";

// Tuned: companies fetched at once; more delays other requests while they are written, fewer needs more requests to the engine.
const PAGE = 100;

const parameters = {
  ...filterParameters,
  ...TABLE_PARAMETERS,
  descriptions: {
    kind: "boolean",
    description:
      "Add a column after each column of codes, such as `company_status_description`, with the words for the codes.",
  },
} as const;

const COLUMNS = [
  "company_name",
  "company_number",
  "company_status",
  "company_type",
  "company_subtype",
  "date_of_creation",
  "date_of_cessation",
  "sic_codes",
  ...ADDRESS_MEMBERS,
] as const;

// Columns of codes, whose words come from the list of the same name.
const CODED = ["company_status", "company_type", "company_subtype"] as const;
const DESCRIBED: ReadonlySet<string> = new Set([...CODED, "sic_codes"]);

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
  columns: ({ descriptions }) => (descriptions ? COLUMNS.flatMap(withDescription) : COLUMNS),
  toRow,
  fileName: "companies.csv",
});

function withDescription(column: string): string[] {
  return DESCRIBED.has(column) ? [column, describe(column)] : [column];
}

function describe(column: string): string {
  return `${column}_description`;
}

/** The members of the search's own items; several codes share one field, separated by spaces. */
function toRow(hit: SearchHit): Record<string, string | undefined> {
  const item = presentAdvancedCompany(hit) as Record<string, string | undefined>; // all but the two below are texts
  const address = item.registered_office_address as unknown as Address | undefined;
  const codes = item.sic_codes as unknown as string[] | undefined;
  const descriptions: Record<string, string | undefined> = Object.fromEntries(
    CODED.map((column) => [describe(column), enumerationLabel(column, item[column] ?? "")]),
  );
  return {
    ...item,
    ...descriptions,
    sic_codes: codes?.join(" "),
    // With its code, since a description may have a semicolon of its own.
    [describe("sic_codes")]: codes?.map((code) => `${code} ${describeSic(code)}`.trim()).join("; "),
    ...address,
  };
}
