/** Owns the answers about people and those who control, as pages read them. */
import type { Address } from "../../shared/values/address.ts";
import type { Counted, List } from "./lists.ts";

export interface Month {
  month: number;
  year: number;
}

export interface Identified {
  registration_number?: string;
  place_registered?: string;
  country_registered?: string;
  legal_form?: string;
  legal_authority?: string;
}

export interface Standing {
  company_number: string;
  company_name?: string;
  company_status?: string;
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

export interface Officers extends List<Appointment>, Counted {
  resigned_count: number;
  /** Officers who had not resigned when the company ended. */
  inactive_count?: number;
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
