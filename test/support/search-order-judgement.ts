/** Builds order judgements: companies, people and corporate bodies in the order that an answer must have. */
import type { Address } from "../../api/shared/values/address.ts";
import type { CompanyLine, OfficerLine } from "./search-records.ts";
import type { RegisterLine } from "./search-register.ts";

/** One judgement: the documents are given in the order in which the answer must list them. */
export interface OrderJudgement {
  /** The class of the judgement and, after a colon, what it tests. */
  rule: string;
  path: string;
  q?: string | undefined;
  params?: Record<string, string>;
  inOrder: RegisterLine[];
  /** Documents that must not be in the answer. */
  absent?: RegisterLine[];
  /** Position of the top hit in the order, if that is not the first item. */
  top?: number;
}

let serial = 0;

/** A company; `was` are its previous names, oldest first. */
export function company(
  company_name: string,
  more: Partial<CompanyLine> & { was?: string | string[] } = {},
): CompanyLine {
  serial += 1;
  const { was = [], ...members } = more;
  const names = [was].flat().map((name, index) => ({ name, ceased_on: `201${index}-05-01` }));
  const previous = names.length > 0 ? { previous_company_names: names } : {};
  // Each company has a lower number than the one before, so that sorting by number alone gives the wrong order.
  return { company_name, company_number: String(89_999_999 - serial), ...previous, ...members };
}

/** A company of which only the number matters, which is also in its name. */
export function numbered(company_number: string, more: Parameters<typeof company>[1] = {}): CompanyLine {
  return company(`HALDERBY ${company_number} LTD`, { company_number, ...more });
}

/** A person with these forenames, separated by spaces, and this surname. */
export function person(forenames: string, surname: string, more: Partial<OfficerLine> = {}): OfficerLine {
  const [first = "", ...others] = forenames.split(" ");
  return {
    officer_id: nextOfficerId(),
    forename: first,
    other_forenames: others.join(" "),
    surname,
    ...more,
  };
}

/** A corporate officer. */
export function body(corporate_name: string, more: Partial<OfficerLine> = {}): OfficerLine {
  return { officer_id: nextOfficerId(), corporate_name, ...more };
}

function nextOfficerId(): string {
  serial += 1;
  return `Z${String(99_999 - serial)}`.padEnd(27, "x");
}

/** Members of companies and people by their state. */
export const insolvent = { company_status: "liquidation" } as const;
export const dissolved = { company_status: "dissolved", date_of_cessation: "2015-05-01" } as const;
export const disqualified = { disqualified_until: "2099-01-01" } as const;
export const expired = { disqualified_until: "2012-01-01" } as const;

export const COMPANIES = "/search/companies";
export const OFFICERS = "/search/officers";
export const DISQUALIFIED = "/search/disqualified-officers";

export const CONTROLLING = "/search/persons-with-significant-control";
export const SUGGEST = "/suggest/companies";

/** An address in a town. */
export function address(locality: string, postal_code?: string, address_line_1?: string): Address {
  return {
    ...(address_line_1 && { address_line_1 }),
    locality,
    ...(postal_code && { postal_code }),
  };
}

/** A company's registered office address. */
export function office(...place: Parameters<typeof address>): Partial<CompanyLine> {
  return { registered_office_address: address(...place) };
}

/** A person's address. */
export function lives(...place: Parameters<typeof address>): Partial<OfficerLine> {
  return { address: address(...place) };
}

/** A person's month of birth: `born("1970-03")`. */
export function born(yearAndMonth: string): Partial<OfficerLine> {
  const [year, month] = yearAndMonth.split("-").map(Number);
  return { date_of_birth: { year: year ?? 0, month: month ?? 0 } };
}

/** Judgements of one search, from rows of rule, query, expected order, and lines that must not be found. */
export function judgementsOf(
  path: string,
  rows: [rule: string, q: string, inOrder: RegisterLine[], absent?: RegisterLine[]][],
  params: Record<string, string> = {},
): OrderJudgement[] {
  return rows.map(([rule, q, inOrder, absent = []]) => ({ rule, path, q, params, inOrder, absent }));
}
