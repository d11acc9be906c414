/** Owns the looking up of what a line of the officers' daily update means: the appointment that it tells of, if held. Pure. */
import { deriveAppointmentKey, personOf } from "../../api/resources/officer-appointment/identity.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { HeldMemory } from "../statements/held-memory.ts";
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
  person: Partial<Pick<Appointment, (typeof PERSON_MEMBERS)[number]>>;
}

/** A line that tells what the appointment is now. */
export type ToldRow = UpdateRow & { appointment: Appointment };

/** What is held, of which the changes of this source look at appointments alone. */
export type Held = Omit<HeldMemory, "find" | "get"> & {
  find: (field: string, value: string) => StoredAppointment[];
  get: (id: string) => StoredAppointment | undefined;
};

/** Members that belong to the person and not to one appointment. */
export const PERSON_MEMBERS = [
  "name",
  "name_elements",
  "date_of_birth",
  "nationality",
  "country_of_residence",
] as const;

/** What a record remembers to have been told up to some place; `creation`: that it was new, and its person no other's. */
export type Aspect = "appointment" | "person" | "company" | "creation";

/** True when what is held, or was taken away, knows of the line or of a later one. */
export function isDone({ appointment, place, company_number }: ToldRow, held: Held): boolean {
  const id = keyOf(appointment);
  if (isTold(held.get(id), "appointment", place) || held.withdrawnAt(id) >= place) return true;
  // Of another day it is held under another identity. In a file of mended lines another line may stand at the place.
  return held
    .find("company_number", company_number)
    .some(
      ({ update, data }) =>
        update?.places.appointment === place &&
        isSamePerson(appointment.person_number, data.person_number) &&
        plainRoleOf(appointment.officer_role) === plainRoleOf(data.officer_role),
    );
}

/** The appointment of company, old type and old number. The day decides among several alone, and for a reinstatement. */
export function findAppointment(row: UpdateRow, held: Held): StoredAppointment | undefined {
  const { old, appointment, oldId } = row;
  const isMeant = (one: StoredAppointment) =>
    one.is_resigned === old.type.isResigned &&
    plainRoleOf(one.data.officer_role) === old.type.role &&
    !isTold(one, "appointment", row.place);
  const candidates = held
    .find("company_number", row.company_number)
    .filter((one) => one.person_number === old.person_number && isMeant(one));
  const dated = candidates.find(({ data }) => keyOf({ ...data, person_number: old.person_number }) === oldId);
  const isReinstated =
    old.type.isResigned && appointment !== undefined && appointment.resigned_on === undefined;
  const found = dated ?? (isReinstated ? undefined : chooseUndated(candidates, row));
  if (found) return found;
  // The number may be held in another variant than the line knows.
  const sameIdentity = held.get(oldId);
  return sameIdentity && isMeant(sameIdentity) ? sameIdentity : undefined;
}

/** Of several serving ones the latest; of several resigned ones none but that of the day of resignation. */
function chooseUndated(
  candidates: StoredAppointment[],
  { old, resigned_on }: UpdateRow,
): StoredAppointment | undefined {
  if (candidates.length < 2) return candidates[0];
  const order = ({ appointed_order, _id }: StoredAppointment) => `${appointed_order}${_id}`;
  if (!old.type.isResigned) return candidates.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0];
  const [first, ...others] = candidates.filter(({ data }) => data.resigned_on === resigned_on);
  return others.length === 0 ? first : undefined;
}

/** True when this aspect of the record has been told at this place or a later one. */
export function isTold(held: StoredRecord | undefined, aspect: Aspect, place: number): boolean {
  return (held?.update?.places[aspect] ?? 0) >= place;
}

/** Identity of an appointment that has a person number, as those of the officers files have. */
export function keyOf({ person_number = "", ...appointment }: Appointment): string {
  return deriveAppointmentKey({ person_number, ...appointment });
}

/** The id that the API gives, where a source has told it: bulk files leave the derived one. */
export function realIdOf(held: StoredAppointment | undefined): string | undefined {
  return held && held.appointment_id !== held._id ? held.appointment_id : undefined;
}

/** True when both numbers are variants of one person. */
export function isSamePerson(a = "", b = ""): boolean {
  return personOf(a) === personOf(b);
}
