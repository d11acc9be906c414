/** Owns what a line of the officers' daily update tells of a person, and which members of an appointment it sets. Pure. */
import { hiddenMembersOf } from "../../api/resources/officer-appointment/members.ts";
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import type { Members } from "../../api/core/members.ts";
import { isTold, type HeldEffect, type HeldView } from "../statements/held-changes.ts";
import { mergeRecords } from "../statements/merge.ts";
import {
  appointmentsOf,
  keyOf,
  PERSON,
  PERSON_MEMBERS,
  type PersonDetails,
  type ToldRow,
  type UpdateRow,
} from "./officers-update-held.ts";

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
  for (const member of hiddenMembersOf(held.officer_role)) delete shown[member];
  return shown;
}

/** Members that go with the type of an appointment: those that are never shown of it are gone. */
export function membersOfType(told: Appointment): string[] {
  return ["officer_role", "resigned_on", ...hiddenMembersOf(told.officer_role)];
}

/** Members that a correction sets in another appointment of the person, blanks included. */
function correctedFor({ appointment, person }: ToldRow, held: StoredAppointment): string[] {
  const hidden: readonly string[] = hiddenMembersOf(held.data.officer_role);
  // What is never shown of the line's own role is blank there, which says nothing of it.
  const unsaid: readonly string[] = hiddenMembersOf(appointment.officer_role);
  return PERSON_MEMBERS.filter(
    (member) => !hidden.includes(member) && (person[member] !== undefined || !unsaid.includes(member)),
  );
}

/** The record with these members as told. */
export function tell(
  from: StoredAppointment,
  told: Partial<Appointment>,
  tells: readonly string[],
  aspects: readonly string[],
): HeldEffect {
  return { kind: "write", data: mergeTold(from.data, told, tells), from, aspects, members: tells };
}

/** The data with these members as told; absent ones of those in `tells` are gone. */
export function mergeTold(
  data: Appointment,
  told: Partial<Appointment>,
  tells: readonly string[],
): Appointment {
  const merged = mergeRecords(data, picked(told, tells), [...tells, "etag"]) as Appointment;
  const { name_elements } = told;
  return { ...merged, ...(name_elements && tells.includes("name_elements") && { name_elements }) };
}

/** What the correction of its nominee states of an appointment, as it would be without; null: nothing. */
export function stateCorrection(
  data: Appointment,
  details: NomineeDetails,
): { of: string[]; data: Members } | null {
  if (!isOfKind({ data }, details)) return null;
  const shown = shownOf(details, data);
  const of = presentIn(shown);
  return { of: [...of, "etag"], data: picked(mergeTold(data, shown, of), of) };
}

/** A body's line says nothing of a person, nor the other way round. */
export function isOfKind(
  { data }: Pick<StoredAppointment, "data">,
  { name_elements }: PersonDetails,
): boolean {
  return data.is_corporate === (name_elements === undefined);
}

/** Members that are there. */
export function presentIn(members: object): string[] {
  return Object.entries(members).flatMap(([member, value]) => (value === undefined ? [] : member));
}

function picked(told: Partial<Appointment>, members: readonly string[]): Partial<Appointment> {
  return Object.fromEntries(Object.entries(told).filter(([member]) => members.includes(member)));
}
