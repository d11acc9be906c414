/** Owns the answers that pages are made from: by name of the definition, the members that pages read; those of searches are here. */
import type { Charges, Company, Coverage, Establishments, Filings, Insolvency } from "./companies.ts";
import type {
  Appointments,
  Controllers,
  Disqualified,
  Exemptions,
  Notifications,
  Officers,
  Statements,
} from "./people.ts";
import type { Address } from "../../shared/values/address.ts";
import type { Facet } from "../../shared/definitions/search-result.ts";
import type { List } from "./lists.ts";

export type * from "./companies.ts";
export type * from "./lists.ts";
export type * from "./people.ts";

/** The answer of each definition that pages use. */
export interface Answers {
  "company-profile": Company;
  "officer-list": Officers;
  "officer-appointment-list": Appointments;
  "filing-history": Filings;
  "charge-list": Charges;
  insolvency: Insolvency;
  "uk-establishments": Establishments;
  exemptions: Exemptions;
  "psc-list": Controllers;
  "psc-statement-list": Statements;
  "psc-notification-list": Notifications;
  "natural-disqualification": Disqualified;
  "corporate-disqualification": Disqualified;
  coverage: Coverage;
  "search-all": SearchPage;
  "search-companies": SearchPage;
  "search-officers": SearchPage;
  "search-disqualified-officers": SearchPage;
  "search-persons-with-significant-control": SearchPage;
  "search-alphabetical-companies": { items: ListedCompany[]; top_hit?: ListedCompany };
  "search-advanced-companies": AdvancedPage;
  "suggest-companies": { items: Found[] };
}

interface Explanation {
  reason: string;
  name: string;
  name_type: "current" | "previous";
}

export interface Found {
  kind: string;
  title: string;
  snippet?: string;
  company_number?: string;
  company_status?: string | null;
  company_type?: string;
  description?: string | null;
  address_snippet?: string;
  matches?: { title?: number[]; snippet?: number[] };
  match?: Explanation;
  links: { self: string; company?: string };
}

export interface SearchPage extends List<Found> {
  total_results: number;
  did_you_mean?: string;
  facets?: Record<string, Facet[]>;
}

export interface ListedCompany {
  company_name: string;
  company_number: string;
  company_status?: string;
  company_type?: string;
  date_of_creation?: string;
  date_of_cessation?: string;
  registered_office_address?: Address;
  sic_codes?: string[];
  ordered_alpha_key_with_id?: string;
}

export interface AdvancedPage {
  items: ListedCompany[];
  hits: number;
  facets?: Record<string, Facet[]>;
}
