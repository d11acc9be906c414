/** Maps a raw officer of a bulk file to a stored appointment: ids, dates, names, letter case. */
import { toNameCase, toTitleCase } from "../../shared/values/letter-case.ts";
import {
  normaliseBulkAddress,
  readDate,
  requireDate,
  requireIdentity,
  type BulkPerson,
} from "../bulk-person.ts";
import { deriveAppointmentKey, deriveOfficerId } from "./identity.ts";
import { hiddenMembersOf, type Appointment, type BirthDate, type NameElements } from "./members.ts";

/** What an officer's code in a bulk file means. */
interface RawRole {
  officer_role: string;
  is_corporate: boolean;
  is_resigned: boolean;
  /** The appointment date is that of an annual return; the appointment itself is older. */
  is_dated_by_return: boolean;
}

export interface RawOfficer extends BulkPerson {
  company_number: string;
  appointment_date: string;
  resignation_date: string;
  /** `CCYYMM`; the whole date is usually empty. */
  birth_month: string;
  occupation: string;
  country_of_residence: string;
}

/** What the file states in the company's own line, above the officers. */
export interface RawCompany {
  company_name: string;
  /** Absent: the status in the line is not known. */
  company_status?: string | undefined;
}

/**
 * The stored appointment, and a warning for each value that was dropped. Throws RecordError if the appointment would be
 * wrong, not merely incomplete: without a name or a person number, or resigned without a day of resignation, since such
 * an officer would be shown as serving.
 */
export function normaliseAppointment(
  raw: RawOfficer,
  role: RawRole,
  company: RawCompany | null,
): { appointment: Appointment; warnings: string[] } {
  requireIdentity(raw, role.is_corporate ? "name" : "surname");
  const warnings: string[] = [];
  const appointedOn = readDate(raw.appointment_date, "appointed_on", warnings);
  const { company_number, person_number } = raw;
  const { officer_role, is_corporate } = role;
  const identity = { company_number, person_number, officer_role, appointed_on: appointedOn };
  const appointment: Appointment = {
    // No bulk file contains the real ids.
    appointment_id: deriveAppointmentKey(identity),
    officer_id: deriveOfficerId(person_number),
    company_number,
    person_number,
    officer_role,
    is_corporate,
  };
  if (company?.company_name) {
    appointment.company_name = company.company_name;
    if (company.company_status) appointment.company_status = company.company_status;
  }
  addAppointed(appointment, role, appointedOn);
  if (role.is_resigned)
    appointment.resigned_on = requireDate(raw.resignation_date, "resigned_on", { isEvent: true });
  // The role decides whether the officer serves; a day of resignation beside a serving role is an error in the file.
  else if (raw.resignation_date) warnings.push("resigned_on: given for a serving officer, dropped");
  const address = normaliseBulkAddress(raw);
  if (address) appointment.address = address;
  if (role.is_corporate) appointment.name = raw.surname;
  else addPersonalDetails(appointment, raw, warnings);
  return { appointment, warnings };
}

/** Forenames are split at the first space; the surname stays in upper case, as the API shows it. */
export function nameElementsOf(title: string, forenames: string, surname: string): NameElements {
  const [forename, ...others] = forenames.split(" ");
  const elements: NameElements = { surname };
  if (title) elements.title = title;
  if (forename) elements.forename = forename;
  if (others.length > 0) elements.other_forenames = others.join(" ").trim();
  return elements;
}

function addAppointed(appointment: Appointment, role: RawRole, appointedOn: string): void {
  if (appointedOn === "") return;
  if (role.is_dated_by_return) {
    appointment.appointed_before = appointedOn;
    appointment.is_pre_1992_appointment = true;
  } else appointment.appointed_on = appointedOn;
}

function addPersonalDetails(appointment: Appointment, raw: RawOfficer, warnings: string[]): void {
  appointment.name_elements = nameElementsOf(toNameCase(raw.title), toNameCase(raw.forenames), raw.surname);
  if (raw.honours) appointment.name_elements.honours = raw.honours;
  if (raw.nationality) appointment.nationality = toTitleCase(raw.nationality);
  if (raw.occupation) appointment.occupation = toTitleCase(raw.occupation);
  const hidden = hiddenMembersOf(appointment.officer_role);
  if (raw.country_of_residence && !hidden.includes("country_of_residence"))
    appointment.country_of_residence = toTitleCase(raw.country_of_residence);
  const birth = hidden.includes("date_of_birth") ? null : readBirthDate(raw, warnings);
  if (birth) appointment.date_of_birth = birth;
}

function readBirthDate(raw: RawOfficer, warnings: string[]): BirthDate | null {
  const day = readDate(raw.birth_date, "date_of_birth", warnings);
  const date = day || readDate(raw.birth_month && `${raw.birth_month}01`, "date_of_birth", warnings);
  if (!date) return null;
  const birth: BirthDate = { month: Number(date.slice(5, 7)), year: Number(date.slice(0, 4)) };
  return day ? { day: Number(day.slice(8)), ...birth } : birth;
}

/** The day of appointment in a text; empty for an impossible or implausible one. */
export function readAppointedOn(text: string): string {
  return readDate(text, "appointed_on", []);
}
