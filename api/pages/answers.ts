/** Types of the API's answers that pages show: the stored members, and those that the API adds. */
import type { Charge } from "../resources/charge/record.ts";
import type { CompanyProfile } from "../resources/company-profile/members.ts";
import type { Coverage, coverageOfRegister } from "../shared/stores/collections/loaded-sources.ts";
import type { DisqualifiedOfficer } from "../resources/disqualified-officer/members.ts";
import type { Filing as StoredFiling } from "../resources/filing-history/members.ts";
import type { CompanyInsolvency } from "../resources/insolvency/index.ts";
import type {
  Appointment as StoredAppointment,
  BirthDate,
} from "../resources/officer-appointment/members.ts";
import type { fetchLikelyDisqualifications } from "../resources/officer-appointment-list/likely-disqualifications.ts";
import type { Psc } from "../resources/person-with-significant-control/members.ts";
import type { PscStatement } from "../resources/psc-statement/index.ts";
import type { UkEstablishments } from "../resources/uk-establishments/index.ts";
import type { Explanation } from "../search/answers/explain.ts";
import type { Facet } from "../shared/definitions/search-result.ts";

/** The answer of each definition that pages use. */
export interface Answers {
  "company-profile": Company;
  "officer-list": Officers;
  "officer-appointment-list": Appointments;
  "filing-history": Filings;
  "charge-list": Charges;
  insolvency: CompanyInsolvency;
  "uk-establishments": List<UkEstablishments["items"][number]>;
  exemptions: {
    exemptions: Record<
      string,
      { exemption_type: string; items: { exempt_from: string; exempt_to?: string }[] }
    >;
  };
  "psc-list": Controllers;
  "psc-statement-list": List<PscStatement, "total_results">;
  "psc-notification-list": Controllers & {
    name: string;
    date_of_birth?: BirthDate;
    inactive_count?: number;
  };
  "natural-disqualification": DisqualifiedOfficer;
  "corporate-disqualification": DisqualifiedOfficer;
  coverage: { items: (ReturnType<typeof coverageOfRegister> & { record: string })[] };
  "search-all": SearchPage;
  "search-companies": SearchPage;
  "search-officers": SearchPage;
  "search-disqualified-officers": SearchPage;
  "search-persons-with-significant-control": SearchPage;
  "search-alphabetical-companies": { items: ListedCompany[] };
  "search-advanced-companies": AdvancedPage;
  "suggest-companies": { items: Found[] };
}

/** A list of the API, with the counts that it has. */
type List<Item, Counts extends string = never> = { items: Item[]; coverage?: Coverage } & Record<
  Counts,
  number
>;

interface IsOverdue {
  overdue?: boolean;
}

export interface Company extends Omit<
  CompanyProfile,
  "accounts" | "confirmation_statement" | "annual_return"
> {
  accounts?: CompanyProfile["accounts"] & { next_accounts?: IsOverdue };
  confirmation_statement?: NonNullable<CompanyProfile["confirmation_statement"]> & IsOverdue;
  annual_return?: NonNullable<CompanyProfile["annual_return"]> & IsOverdue;
  links: Record<string, string>;
}

type FilingMembers = Omit<StoredFiling, "company_number" | "links">;

export type Filing = Partial<FilingMembers> & Pick<FilingMembers, "transaction_id" | "category">;

export type Filings = List<Filing, "total_count">;

export type Charges = List<Charge, "total_count" | "satisfied_count" | "part_satisfied_count">;

/** The company of a person's appointment or control. */
export interface Standing {
  company_number: string;
  company_name?: string;
  company_status?: string;
}

export interface Appointment extends Omit<
  StoredAppointment,
  "appointment_id" | "officer_id" | "company_number" | "is_corporate" | "name"
> {
  name: string;
  date_of_birth?: BirthDate;
  links: { officer?: { appointments: string } };
  appointed_to?: Standing;
}

export interface Officers extends List<Appointment, "total_results" | "active_count" | "resigned_count"> {
  /** Officers who had not resigned when the company ended. */
  inactive_count?: number;
}

export interface Appointments extends Officers {
  name: string;
  date_of_birth?: BirthDate;
  likely_disqualifications?: Awaited<ReturnType<typeof fetchLikelyDisqualifications>>;
}

export interface Controller extends Omit<Psc, "company_number" | "notification_id"> {
  links: { persons_with_significant_control?: { notifications: string } };
  notified_to?: Standing;
}

export type Controllers = List<Controller, "total_results" | "active_count" | "ceased_count">;

export interface Found {
  kind: string;
  title: string;
  snippet?: string;
  company_number?: string;
  company_status?: string | null;
  company_type?: string;
  description?: string | null;
  address_snippet?: string | null;
  matches?: { title?: number[]; snippet?: number[] };
  match?: Explanation;
  links: { self: string };
}

export interface SearchPage {
  items: Found[];
  total_results: number;
  did_you_mean?: string;
  facets?: Record<string, Facet[]>;
}

export interface ListedCompany extends Pick<CompanyProfile, "company_name" | "company_number"> {
  company_status?: string;
  company_type?: string;
  date_of_creation?: string;
  date_of_cessation?: string;
  registered_office_address?: CompanyProfile["registered_office_address"];
  ordered_alpha_key_with_id?: string;
}

export interface AdvancedPage {
  items: ListedCompany[];
  hits: number;
  facets?: Record<string, Facet[]>;
}
