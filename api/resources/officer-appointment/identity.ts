/** Owns the identity of appointments: what makes two mentions of one the same, whoever tells of it. */
import { deriveId } from "../../core/identifiers.ts";

/** What an appointment is known by. */
export interface AppointmentIdentity {
  company_number: string;
  /** Twelve digits, the first eight of which stand for the person in every variant. */
  person_number: string;
  officer_role: string;
  appointed_on?: string;
  appointed_before?: string;
}

/**
 * The key of an appointment. It stays over reruns, resignations and a new variant of the person's details;
 * the day of appointment keeps apart what one person held in one company more than once.
 */
export function deriveAppointmentKey(identity: AppointmentIdentity): string {
  const { company_number, person_number, officer_role, appointed_on, appointed_before } = identity;
  const day = appointed_on ?? appointed_before ?? "";
  return deriveId("appointment", company_number, personOf(person_number), roleClassOf(officer_role), day);
}

/** The digits of a person number that stand for the person in every variant. */
export function personOf(personNumber: string): string {
  return personNumber.slice(0, 8);
}

/** The id of a person, told by the digits or by a number, whose real one no source has told. */
export function deriveOfficerId(personNumber: string): string {
  return deriveId("officer", personOf(personNumber));
}

/**
 * What a role has in common in all its forms: personal, corporate, nominee. A member of an LLP and its
 * designated member are one class: the change of one into the other is the same appointment.
 */
function roleClassOf(role: string): string {
  let roleClass = classes.get(role);
  if (roleClass === undefined) {
    const plain = role.replace(/^corporate-/, "").replace(/^nominee-/, "");
    roleClass = plain.replace(/^llp-designated-member$/, "llp-member").replace(/^member-of-an?-/, "");
    classes.set(role, roleClass);
  }
  return roleClass;
}

// Asked for every row of a load, and there are some thirty roles.
const classes = new Map<string, string>();
