/** Owns the answers that pages are made from: by the name of their definition, those members that pages read. */
import type { Address } from "../core/address.ts";
import type { Facet } from "../search/define-search.ts";

export interface Month {
  month: number;
  year: number;
}

interface PreviousName {
  name: string;
  effective_from?: string;
  ceased_on?: string;
}

interface Due {
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

/** Which records of a list are held; absent from what is not a list. */
export interface Held {
  held: boolean;
  as_of: string | null;
}

interface List<Item> {
  items: Item[];
  start_index: number;
  items_per_page: number;
  coverage?: Held;
}

interface Identified {
  registration_number?: string;
  place_registered?: string;
  country_registered?: string;
  legal_form?: string;
  legal_authority?: string;
}

export interface Appointment {
  name: string;
  officer_role: string;
  appointed_on?: string;
  appointed_before?: string;
  resigned_on?: string;
  nationality?: string;
  occupation?: string;
  country_of_residence?: string;
  date_of_birth?: Month;
  address?: Address;
  identification?: Identified;
  former_names?: { forenames?: string; surname?: string }[];
  links: { self?: string; company?: string; officer?: { appointments: string } };
  appointed_to?: Standing;
}

export interface Standing {
  company_number: string;
  company_name?: string;
  company_status?: string;
}

interface Counted {
  active_count: number;
  total_results: number;
}

export interface Officers extends List<Appointment>, Counted {
  resigned_count: number;
}

export interface Appointments extends List<Appointment>, Counted {
  name: string;
  is_corporate_officer: boolean;
  date_of_birth?: Month;
  resigned_count: number;
  likely_disqualifications?: {
    link: string;
    name: string;
    disqualified_until: string;
    likelihood: "likely" | "possible";
    matched: string[];
  }[];
}

export interface Controller {
  kind: string;
  name?: string;
  description?: string;
  address?: Address;
  date_of_birth?: Month;
  nationality?: string;
  country_of_residence?: string;
  natures_of_control?: string[];
  notified_on?: string;
  ceased_on?: string;
  ceased?: boolean;
  identification?: Identified;
  links: { self?: string; company?: string; persons_with_significant_control?: { notifications: string } };
  notified_to?: Standing;
}

export interface Controllers extends List<Controller>, Counted {
  ceased_count: number;
}

export interface Notifications extends List<Controller>, Counted {
  name: string;
  date_of_birth?: Month;
  ceased_count: number;
}

export interface Statements extends List<{ statement: string; notified_on: string; ceased_on?: string }> {
  total_results: number;
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
  coverage?: Held;
}

export interface Exemptions {
  exemptions: Record<
    string,
    { exemption_type: string; items: { exempt_from: string; exempt_to?: string }[] }
  >;
}

export interface Disqualified {
  name?: string;
  title?: string;
  forename?: string;
  other_forenames?: string;
  surname?: string;
  honours?: string;
  date_of_birth?: string;
  nationality?: string;
  company_number?: string;
  country_of_registration?: string;
  disqualifications: {
    disqualification_type: string;
    disqualified_from: string;
    disqualified_until: string;
    reason: { description_identifier: string; act: string; section?: string; article?: string };
    company_names?: string[];
    court_name?: string;
    case_identifier?: string;
    heard_on?: string;
    undertaken_on?: string;
    address?: Address;
  }[];
  permissions_to_act?: {
    company_names?: string[];
    granted_on: string;
    expires_on: string;
    court_name?: string;
  }[];
}

export interface Coverage {
  items: { record: string; held: "all" | "some" | "none"; as_of: string | null }[];
}

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

/** What each definition that pages ask answers with. */
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
