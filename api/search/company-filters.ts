/** The filters of companies, as parameters and clauses: all are in the advanced search, a few in the search by name. */
import { enumerationKeys } from "../shared/values/enumerations.ts";
import type { QueryValues } from "../shared/schemas/query-parameters.ts";
import { queryText } from "./reading/query-text.ts";
import { anyOf, type Clause, inAddress } from "./clauses.ts";

// Compat: the original accepts only the two documented subtypes.
const SUBTYPES = ["community-interest-company", "private-fund-limited-partnership"];

/** The filters, by parameter name. */
export const filterParameters = {
  company_name_includes: queryText(
    "Words that must all be in the company's name, which includes the legal ending.",
  ),
  company_name_excludes: queryText("Words that must not be in the company's name."),
  company_status: {
    kind: "list",
    description: "Statuses of companies to find, in upper or lower case.",
    values: enumerationKeys("company_status"),
    ignoresCase: true,
  },
  company_type: {
    kind: "list",
    description: "Types of companies to find.",
    values: enumerationKeys("company_type"),
  },
  company_subtype: {
    kind: "list",
    description: "Subtypes of companies to find.",
    values: SUBTYPES,
  },
  sic_codes: { kind: "list", description: "SIC codes of companies to find." },
  incorporated_from: { kind: "date", description: "Only companies created on or after this day." },
  incorporated_to: { kind: "date", description: "Only companies created on or before this day." },
  dissolved_from: { kind: "date", description: "Only companies that ended on or after this day." },
  dissolved_to: { kind: "date", description: "Only companies that ended on or before this day." },
  location: queryText("Words that must all be in the registered office address."),
} as const;

/** The clauses of the filters that both searches have. */
export function filterCompanies(
  values: Pick<
    QueryValues<typeof filterParameters>,
    "company_status" | "company_type" | "sic_codes" | "location"
  >,
): Clause[] {
  return [
    ...anyOf("status", values.company_status),
    ...anyOf("type", values.company_type),
    ...anyOf("sic", values.sic_codes),
    ...inAddress(values.location),
  ];
}
