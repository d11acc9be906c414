/** Owns what a line of the officers' daily update tells of a person, and which members of an appointment it sets. Pure. */
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { isTold, type HeldEffect, type HeldView } from "../held-changes.ts";
import { mergeRecords } from "../merge.ts";
import {
  appointmentsOf,
  keyOf,
  PERSON,
  PERSON_MEMBERS,
  type PersonDetails,
  type ToldRow,
  type UpdateRow,
} from "./officers-update-held.ts";

// Of a secretary the register shows neither; a secretary's line that leaves them blank says nothing of them.
const NEVER_OF_SECRETARIES = ["date_of_birth", "country_of_residence"] as const;

/** What the correction of a nominee tells. */
export type NomineeDetails = PersonDetails & Pick<Appointment, "address">;

/** What a change or a correction says of the person, told to every other appointment of the number. */
export function tellPerson(row: ToldRow, view: HeldView, ownId: string): HeldEffect[] {
  if (row.kind !== "changed" && row.kind !== "corrected") return [];
  const targetId = keyOf(row.appointment);
  const number = row.old.person_number;
  if (number.startsWith("9")) return [];
  const others = appointmentsOf(view, "person_number", number).filter(
    ({ _id }) => _id !== ownId && _id !== targetId,
  );
  return others
    .filter((held) => !isTold(held, PERSON, row.place) && isOfKind(held, row.person))
    .map((held) => {
      const members = personMembersFor(row, held);
      const tells = row.kind === "corrected" ? correctedFor(row, held) : presentIn(members);
      return tell(held, members, tells, [PERSON]);
    });
}

/** A change tells nationality and residence, where they are filled; a correction everything of the person. */
export function personMembersFor({ kind, person }: UpdateRow, held: StoredAppointment): PersonDetails {
  const members: PersonDetails = { ...person };
  if (kind === "changed")
    for (const member of ["name", "name_elements", "date_of_birth"] as const) delete members[member];
  return shownOf(members, held.data);
}

/** The details without what is never shown of the appointment's role. */
export function shownOf<Details extends PersonDetails>(details: Details, held: Appointment): Details {
  const shown = { ...details };
  if (isSecretary(held)) for (const member of NEVER_OF_SECRETARIES) delete shown[member];
  return shown;
}

/** Members that go with the type of an appointment: a director's that no secretary has are gone once it is one. */
export function membersOfType(told: Appointment): string[] {
  return ["officer_role", "resigned_on", ...(isSecretary(told) ? NEVER_OF_SECRETARIES : [])];
}

/** Members that a correction sets in another appointment of the person, blanks included. */
function correctedFor({ appointment, person }: ToldRow, held: StoredAppointment): string[] {
  const isTold = (member: keyof PersonDetails) =>
    !isSecretary(held.data) && (person[member] !== undefined || !isSecretary(appointment));
  const isHidden = (member: string) => NEVER_OF_SECRETARIES.some((hidden) => hidden === member);
  return PERSON_MEMBERS.filter((member) => !isHidden(member) || isTold(member));
}

/** The record with these members as told; absent ones of those in `tells` are gone. */
export function tell(
  from: StoredAppointment,
  told: Partial<Appointment>,
  tells: readonly string[],
  aspects: readonly string[],
): HeldEffect {
  return { kind: "write", data: merge(from.data, told, tells), from, aspects };
}

function merge(data: Appointment, told: Partial<Appointment>, tells: readonly string[]): Appointment {
  const merged = mergeRecords(data, picked(told, tells), [...tells, "etag"]) as Appointment;
  const { name_elements } = told;
  return { ...merged, ...(name_elements && tells.includes("name_elements") && { name_elements }) };
}

/** What becomes of an appointment by the correction of its nominee. */
export function correctNominee(data: Appointment, details: NomineeDetails): Appointment {
  if (!isOfKind({ data }, details)) return data;
  const shown = shownOf(details, data);
  return merge(data, shown, presentIn(shown));
}

/** A body's line says nothing of a person, nor the other way round. */
export function isOfKind(
  { data }: Pick<StoredAppointment, "data">,
  { name_elements }: PersonDetails,
): boolean {
  return data.is_corporate === (name_elements === undefined);
}

function isSecretary({ officer_role }: Appointment): boolean {
  return officer_role.endsWith("secretary");
}

/** Members that are there. */
export function presentIn(members: object): string[] {
  return Object.entries(members).flatMap(([member, value]) => (value === undefined ? [] : member));
}

function picked(told: Partial<Appointment>, members: readonly string[]): Partial<Appointment> {
  return Object.fromEntries(Object.entries(told).filter(([member]) => members.includes(member)));
}
