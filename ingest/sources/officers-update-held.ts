/** Owns the looking up of what a line of the officers' daily update means: the appointment that it tells of, if held. Pure. */
import { deriveAppointmentKey, personOf } from "../../api/resources/officer-appointment/identity.ts";
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { isTold, type HeldView } from "../statements/held-changes.ts";
import { plainRoleOf, type AppointmentType } from "./officers-layout.ts";

/** What a line tells of one appointment. */
export interface UpdateRow {
  place: number;
  kind: "errored" | "renumbered" | "corrected" | "retyped" | "changed";
  company_number: string;
  /** What it was held as. */
  old: { type: AppointmentType; person_number: string };
  /** Identity under the old number, of the day that the line states. */
  oldId: string;
  /** The day of resignation that the line states, `YYYY-MM-DD`; empty where it states none. */
  resigned_on: string;
  /** What is told of it; absent of one that was entered in error. */
  appointment?: Appointment;
  /** What is told of the person, whatever the role. */
  person: PersonDetails;
}

/** A line that tells what the appointment is now. */
export type ToldRow = UpdateRow & { appointment: Appointment };

/** Members that belong to the person and not to one appointment. */
export type PersonDetails = Partial<Pick<Appointment, (typeof PERSON_MEMBERS)[number]>>;

/** Their names. */
export const PERSON_MEMBERS = [
  "name",
  "name_elements",
  "date_of_birth",
  "nationality",
  "country_of_residence",
] as const;
/** Aspects of a record of which it is remembered up to where they have been told: this appointment, */
export const APPOINTMENT = "appointment";
/** its person, */
export const PERSON = "person";
/** its company, */
export const COMPANY = "company";
/** and that it was new: what a line says of the person then goes to no other appointment. */
export const CREATION = "creation";

/** True when what is held, or was taken away, knows of the line or of a later one. */
export function isDone({ appointment, place, company_number }: ToldRow, view: HeldView): boolean {
  const id = keyOf(appointment);
  const held = heldAt(view, id);
  if (held && isTold(held, APPOINTMENT, place)) return true;
  if (view.withdrawnAt(id) >= place) return true;
  // Of another day than the line states it is held under another identity. The place alone does not tell: in a file of
  // mended lines another line may stand there.
  return appointmentsOf(view, "company_number", company_number).some(
    ({ update, data }) =>
      update?.places[APPOINTMENT] === place &&
      isSamePerson(appointment.person_number ?? "", data.person_number) &&
      plainRoleOf(appointment.officer_role) === plainRoleOf(data.officer_role),
  );
}

/**
 * The appointment that a line means: company, old type and old number. The day decides among several alone, and for a
 * reinstatement: one person may have resigned from one company more than once.
 */
export function findAppointment(row: UpdateRow, view: HeldView): StoredAppointment | undefined {
  const { person_number } = row.old;
  const candidates = appointmentsOf(view, "company_number", row.company_number).filter(
    (held) => held.person_number === person_number && isMeant(held, row),
  );
  const dated = candidates.find((held) => identityOf(held, person_number) === row.oldId);
  if (dated) return dated;
  const other = isReinstatement(row) ? undefined : chooseUndated(candidates, row);
  if (other) return other;
  // The number may be held in another variant than the line knows.
  const sameIdentity = heldAt(view, row.oldId);
  return sameIdentity && isMeant(sameIdentity, row) ? sameIdentity : undefined;
}

function isReinstatement({ old, appointment }: UpdateRow): boolean {
  return old.type.isResigned && appointment !== undefined && appointment.resigned_on === undefined;
}

/** Of several serving ones the latest; of several resigned ones none but that of the day of resignation. */
function chooseUndated(
  candidates: StoredAppointment[],
  { old, resigned_on }: UpdateRow,
): StoredAppointment | undefined {
  if (candidates.length < 2) return candidates[0];
  if (!old.type.isResigned) return candidates.toSorted(byLatest)[0];
  const [first, ...others] = candidates.filter(({ data }) => data.resigned_on === resigned_on);
  return others.length === 0 ? first : undefined;
}

function isMeant(held: StoredAppointment, { company_number, old, place }: UpdateRow): boolean {
  return (
    held.company_number === company_number &&
    held.is_resigned === old.type.isResigned &&
    plainRoleOf(held.data.officer_role) === old.type.role &&
    !isTold(held, APPOINTMENT, place)
  );
}

function identityOf({ data }: StoredAppointment, person_number: string): string {
  return deriveAppointmentKey({ ...data, person_number });
}

function byLatest(a: StoredAppointment, b: StoredAppointment): number {
  return `${a.appointed_order}${a._id}` < `${b.appointed_order}${b._id}` ? -1 : 1;
}

/** Identity of an appointment that has a person number, as those of the officers files have. */
export function keyOf({ person_number = "", ...appointment }: Appointment): string {
  return deriveAppointmentKey({ person_number, ...appointment });
}

/** The casts: the changes of this source look at appointments alone. */
export function appointmentsOf(
  view: HeldView,
  field: "company_number" | "person_number",
  value: string,
): StoredAppointment[] {
  return view.find({ field, value }) as StoredAppointment[];
}

/** The appointment of this identity, if held. */
export function heldAt(view: HeldView, id: string): StoredAppointment | undefined {
  return view.get(id) as StoredAppointment | undefined;
}

/** The id that the API gives, where a source has told it: bulk files leave the derived one. */
export function realIdOf(held: StoredAppointment | undefined): string | undefined {
  return held && held.appointment_id !== held._id ? held.appointment_id : undefined;
}

/** True when both numbers are variants of one person. */
export function isSamePerson(a: string, b: string | undefined): boolean {
  return personOf(a) === personOf(b ?? "");
}
