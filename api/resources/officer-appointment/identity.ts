/** The identity of appointments: decides which rows and resources, of any source, are about the same appointment. */
import { deriveId } from "../../shared/values/identifiers.ts";

/** What identifies an appointment. */
interface AppointmentIdentity {
  company_number: string;
  /** Twelve digits; the first eight identify the person in every variant. */
  person_number: string;
  officer_role: string;
  appointed_on?: string;
  appointed_before?: string;
}

/**
 * The key of an appointment. It stays the same over reruns, resignations and a new variant of the person's details;
 * the day of appointment separates several appointments of one person to the same role in one company.
 */
export function deriveAppointmentKey(identity: AppointmentIdentity): string {
  const { company_number, person_number, officer_role, appointed_on, appointed_before } = identity;
  const day = appointed_on ?? appointed_before ?? "";
  return deriveId("appointment", company_number, personOf(person_number), roleClassOf(officer_role), day);
}

/** The digits of a person number that identify the person in every variant. */
export function personOf(personNumber: string): string {
  return personNumber.slice(0, 8);
}

/** The id of a person until a source states the real one, derived from a person number or its first eight digits. */
export function deriveOfficerId(personNumber: string): string {
  return deriveId("officer", personOf(personNumber));
}

/** The role without its corporate or nominee form. */
export function plainRoleOf(role: string): string {
  return role.replace(/^corporate-/, "").replace(/^nominee-/, "");
}

/**
 * The class of a role, the same for all its forms. A member of an LLP and its designated member are one class: a change
 * from one to the other is the same appointment.
 */
function roleClassOf(role: string): string {
  let roleClass = classes.get(role);
  if (roleClass === undefined) {
    const plain = plainRoleOf(role).replace(/^llp-designated-member$/, "llp-member");
    roleClass = plain.replace(/^member-of-an?-/, "");
    classes.set(role, roleClass);
  }
  return roleClass;
}

// Cached: every row of a load needs it, and there are some thirty roles.
const classes = new Map<string, string>();
