/** Maps raw lines about a disqualified person to the stored record: ids, dates, names, letter case. */
import { toNameCase, toTitleCase } from "../../shared/values/letter-case.ts";
import {
  normaliseBulkAddress,
  readDate,
  requireDate,
  requireIdentity,
  type BulkPerson,
} from "../bulk-person.ts";
import { deriveDisqualifiedId } from "./record.ts";
import type {
  Disqualification,
  DisqualificationReason,
  DisqualifiedOfficer,
  PermissionToAct,
  Variation,
} from "./members.ts";

interface RawPerson extends BulkPerson {
  corporate_number: string;
  country_of_registration: string;
}

export interface RawDisqualification {
  start_date: string;
  end_date: string;
  disqualification_type: string;
  reason: DisqualificationReason;
  /** Day of the order or of the undertaking. */
  order_date: string;
  case_number: string;
  company_name: string;
  court: string;
}

/** `variation_date`: day of the court's action. `order_date`: day of the order that was varied. */
type RawVariation = Record<"variation_date" | "order_date" | "case_number" | "court", string>;

/** The person, still without disqualifications. A line with a corporate number is about a body. */
export function normalisePerson(raw: RawPerson, warnings: string[]): DisqualifiedOfficer {
  requireIdentity(raw);
  const identity = {
    officer_id: deriveDisqualifiedId(raw.person_number),
    person_number: raw.person_number,
    disqualifications: [],
  };
  if (raw.corporate_number === "") return { ...identity, ...normaliseNatural(raw, warnings) };
  return {
    ...identity,
    kind: "corporate-disqualification",
    name: raw.surname,
    company_number: raw.corporate_number,
    ...optional("country_of_registration", toTitleCase(raw.country_of_registration)),
  };
}

function normaliseNatural(raw: RawPerson, warnings: string[]) {
  const [forename = "", ...others] = toNameCase(raw.forenames).split(/\s+/);
  return {
    kind: "natural-disqualification" as const,
    surname: raw.surname,
    ...optional("title", toNameCase(raw.title)),
    ...optional("forename", forename),
    ...optional("other_forenames", others.join(" ")),
    ...optional("honours", raw.honours),
    ...optional("date_of_birth", readDate(raw.birth_date, "date_of_birth", warnings)),
    ...optional("nationality", toTitleCase(raw.nationality)),
  };
}

/** The address of a person: the file has one, and the API shows it with each disqualification. */
export function normalisePersonAddress(raw: RawPerson): Disqualification["address"] {
  return normaliseBulkAddress(raw) ?? {};
}

/** One disqualification, with the first of its companies. Throws RecordError without a start or an end. */
export function normaliseDisqualification(
  raw: RawDisqualification,
  address: Disqualification["address"],
  warnings: string[],
): Disqualification {
  const orderedOn = readDate(raw.order_date, "order date", warnings);
  const type = raw.disqualification_type;
  return {
    address,
    disqualification_type: type,
    disqualified_from: requireDate(raw.start_date, "disqualified_from"),
    disqualified_until: requireDate(raw.end_date, "disqualified_until"),
    reason: raw.reason,
    ...optional("case_identifier", raw.case_number),
    ...(raw.company_name ? { company_names: [raw.company_name] } : {}),
    // For an undertaking the file names the Insolvency Service as the court; the API shows a court only for orders.
    ...(type === "court-order" ? optional("court_name", toTitleCase(raw.court)) : {}),
    ...(type === "court-order" ? optional("heard_on", orderedOn) : {}),
    ...(type === "undertaking" ? optional("undertaken_on", orderedOn) : {}),
  };
}

/** True when two lines are one disqualification that names two companies. */
export function isSameDisqualification(a: Disqualification, b: Disqualification): boolean {
  return identityOf(a) === identityOf(b);
}

function identityOf(item: Disqualification): string {
  const { act, article, section } = item.reason;
  const dates = [item.disqualified_from, item.disqualified_until];
  return [...dates, act, article, section, item.disqualification_type, item.case_identifier].join("|");
}

/** Permission to act despite the disqualification. Throws RecordError without a start or an end. */
export function normalisePermission(
  raw: Pick<RawDisqualification, "start_date" | "end_date" | "company_name">,
): PermissionToAct {
  return {
    ...(raw.company_name ? { company_names: [raw.company_name] } : {}),
    granted_on: requireDate(raw.start_date, "granted_on"),
    expires_on: requireDate(raw.end_date, "expires_on"),
  };
}

/** A variation of a disqualification, dated by the order if its own day is blank. Throws RecordError without a date. */
export function normaliseVariation(raw: RawVariation, warnings: string[]): Variation {
  const varied_on = requireDate(raw.variation_date || raw.order_date, "varied_on");
  if (raw.variation_date === "")
    warnings.push("varied_on: the date of the court's action is blank, the order date is taken");
  return {
    varied_on,
    ...optional("case_identifier", raw.case_number),
    ...optional("court_name", toTitleCase(raw.court)),
  };
}

/** Latest first, as the API lists disqualifications. */
export function compareDisqualifications(a: Disqualification, b: Disqualification): number {
  return (
    b.disqualified_from.localeCompare(a.disqualified_from) ||
    b.disqualified_until.localeCompare(a.disqualified_until)
  );
}

function optional<Name extends string>(name: Name, text: string): Partial<Record<Name, string>> {
  return (text === "" ? {} : { [name]: text }) as Partial<Record<Name, string>>;
}
