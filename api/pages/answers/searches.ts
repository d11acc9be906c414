/** Owns the answers of searches, as pages read them. */
import type { Address } from "../../shared/values/address.ts";
import type { Facet } from "../../shared/definitions/search-result.ts";
import type { List } from "./lists.ts";

export interface Explanation {
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
