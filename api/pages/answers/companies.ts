/** Owns the answers about companies, as pages read them. */
import type { Address } from "../../shared/values/address.ts";
import type { ListCoverage, List } from "./lists.ts";

export interface PreviousName {
  name: string;
  effective_from?: string;
  ceased_on?: string;
}

export interface Due {
  last_made_up_to?: string;
  next_due?: string;
  overdue?: boolean;
}

export interface Company {
  company_name: string;
  company_number: string;
  type: string;
  subtype?: string;
  company_status?: string;
  company_status_detail?: string;
  date_of_creation?: string;
  date_of_cessation?: string;
  jurisdiction?: string;
  registered_office_address?: Address;
  registered_office_is_in_dispute?: boolean;
  undeliverable_registered_office_address?: boolean;
  sic_codes?: string[];
  previous_company_names?: PreviousName[];
  accounts?: {
    last_accounts?: { period_end_on?: string; type?: string };
    next_accounts?: { due_on?: string; period_end_on?: string; overdue?: boolean };
  };
  confirmation_statement?: Due;
  annual_return?: Due;
  links: Record<string, string>;
}

export interface Filing {
  transaction_id: string;
  date?: string;
  type?: string;
  category: string;
  description?: string;
  description_values?: Record<string, unknown>;
  pages?: number;
}

export interface Filings extends List<Filing> {
  total_count: number;
}

export interface Charge {
  id: string;
  charge_code?: string;
  charge_number?: number;
  classification: { description: string };
  status: string;
  created_on?: string;
  delivered_on?: string;
  acquired_on?: string;
  satisfied_on?: string;
  particulars?: { description?: string };
  secured_details?: { description: string };
  persons_entitled?: { name: string }[];
  more_than_four_persons_entitled?: boolean;
}

export interface Charges extends Pick<List<Charge>, "items" | "coverage"> {
  total_count: number;
  satisfied_count: number;
  part_satisfied_count: number;
}

export interface Insolvency {
  status?: string[];
  cases: {
    type: string;
    number?: string;
    dates: { type: string; date: string }[];
    notes?: string[];
    practitioners: {
      name: string;
      role?: string;
      address: Address;
      appointed_on?: string;
      ceased_to_act_on?: string;
    }[];
  }[];
}

export interface Establishments {
  items: { company_name: string; company_number: string; company_status: string; locality?: string }[];
  coverage?: ListCoverage;
}

export interface Coverage {
  items: { record: string; loaded: "all" | "some" | "none"; as_of: string | null }[];
}
