/**
 * Owns the rules of the officers' daily update (bulk formats 3.7): what becomes of the appointments that are held
 * when a line of the update tells of one. Pure. Each rule asks what is held whether it has been told before, so that
 * it may be followed again.
 */
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import type { RawCompany } from "../../api/resources/officer-appointment/normalise.ts";
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import {
  isTold,
  type HeldChange,
  type HeldDecision,
  type HeldEffect,
  type HeldView,
} from "../statements/held-changes.ts";
import { mergeRecords, tellExactly } from "../statements/merge.ts";
import {
  APPOINTMENT,
  appointmentsOf,
  COMPANY,
  CREATION,
  findAppointment,
  heldAt,
  isDone,
  isSamePerson,
  keyOf,
  PERSON,
  PERSON_MEMBERS,
  realIdOf,
  type ToldRow,
  type UpdateRow,
} from "./officers-update-held.ts";
import { UPDATE_TELLING } from "./officers-layout.ts";
import {
  membersOfType,
  mergeTold,
  personMembersFor,
  presentIn,
  tell,
  tellPerson,
  type NomineeDetails,
} from "./officers-update-person.ts";

// What a line is the authority on: neither the ids that the API gives nor the company, of which its own line tells.
// The etag is that of the content before.
const APPOINTMENT_MEMBERS = [
  ...PERSON_MEMBERS,
  "address",
  "appointed_before",
  "appointed_on",
  "etag",
  "is_pre_1992_appointment",
  "occupation",
  "officer_role",
  "person_number",
  "resigned_on",
];

/** How what it makes of an appointment stands against what other sources told of it before. */
export const TELLING = tellExactly([
  ...APPOINTMENT_MEMBERS,
  "company_name",
  "company_status",
  "is_corporate",
]);

const ERRORED_WARNING = "errored: was not held";

/** The change that a line of an appointment is. */
export function changeAppointment(row: UpdateRow): HeldChange {
  const { place, company_number, oldId, appointment } = row;
  const ids = [...new Set([oldId, ...(appointment ? [keyOf(appointment)] : [])])];
  return {
    place,
    looksAt: [
      { field: "company_number", value: company_number },
      ...personsOf(row).map((value) => ({ field: "person_number", value })),
      ...ids.map((value) => ({ field: "_id", value })),
    ],
    identities: ids,
    tells: UPDATE_TELLING,
    decide: (view) => (appointment ? decideTold({ ...row, appointment }, view) : decideErrored(row, view)),
  };
}

/**
 * Numbers of which all appointments are looked at. None of a nominee's, who may hold a hundred thousand: what concerns
 * all of them comes under a blank company (assumed).
 */
function personsOf({ kind, old, appointment }: UpdateRow): string[] {
  if (kind === "errored" || kind === "retyped") return [];
  return [...new Set([old.person_number, appointment?.person_number ?? ""])].filter(
    (number) => number !== "" && !number.startsWith("9"),
  );
}

/** The change that the correction of a nominee is: it reaches every appointment of the number, whenever it comes. */
export function changeNominee(place: number, person_number: string, members: NomineeDetails): HeldChange {
  const correction = { person_number, members };
  return { place, looksAt: [], identities: [], correction, decide: () => ({ effects: [] }) };
}

/** The change that a company line is: name and status of the company stand with each of its appointments. */
export function changeCompany(place: number, company_number: string, company: RawCompany): HeldChange {
  const key = { field: "company_number", value: company_number };
  return {
    place,
    looksAt: [key],
    identities: [],
    decide: (view) => {
      const open = appointmentsOf(view, "company_number", company_number).filter(
        (item) => !isTold(item, COMPANY, place),
      );
      return {
        effects: open.map((from) => ({
          ...{ kind: "write", from, aspects: [COMPANY] },
          data: { ...from.data, ...company },
        })),
      };
    },
  };
}

function decideErrored(row: UpdateRow, view: HeldView): HeldDecision {
  if (view.withdrawnAt(row.oldId) >= row.place) return { effects: [] };
  const found = findAppointment(row, view);
  // Where the line states another day than what is held, a repeat knows by its own day that it is done.
  const stated: HeldEffect = { kind: "withdraw", id: row.oldId };
  if (found) return { effects: [{ kind: "remove", held: found }, stated] };
  if (isEnteredAgain(row, view)) return { effects: [] };
  return { effects: [stated], warning: ERRORED_WARNING };
}

/** Deleted and entered again by a later line of the same day: it has been followed. */
function isEnteredAgain({ oldId, place }: UpdateRow, view: HeldView): boolean {
  const held = heldAt(view, oldId);
  return held !== undefined && isTold(held, APPOINTMENT, place);
}

function decideTold(row: ToldRow, view: HeldView): HeldDecision {
  const { appointment, place } = row;
  if (isDone(row, view)) {
    const held = heldAt(view, keyOf(appointment));
    const wasCreated = held?.update?.places[CREATION] === place;
    const wide = held && !wasCreated ? tellPerson(row, view, held._id) : [];
    return { effects: [...leaveFormer(row, view, held), ...wide, ...withdrawOld(row)] };
  }
  const found = findAppointment(row, view);
  if (!found) {
    return { effects: [store(appointment, view), ...withdrawOld(row)], ...warningOf(row) };
  }
  const own = tellOwn(row, found, view);
  return { effects: [own, ...tellPerson(row, view, found._id), ...withdrawOld(row)] };
}

/** A snapshot of a day before would bring it under what the line says it was held as. */
function withdrawOld({ oldId, appointment }: ToldRow): HeldEffect[] {
  return oldId === keyOf(appointment) ? [] : [{ kind: "withdraw", id: oldId }];
}

/** Only a new appointment, and a merge of which the old number is not held, are to be expected without being held. */
function warningOf({ kind, old, appointment }: ToldRow): { warning?: string } {
  const isNew = kind === "changed" && !old.type.isResigned;
  const isMerge = kind === "renumbered" && !isSamePerson(old.person_number, appointment.person_number);
  return isNew || isMerge ? {} : { warning: `${kind}: was not held, stored as the line tells it` };
}

/** What the line makes of the appointment that was found. */
function tellOwn(row: ToldRow, found: StoredAppointment, view: HeldView): HeldEffect {
  const told = row.appointment;
  if (row.kind === "renumbered" || row.kind === "corrected") return store(told, view, found);
  if (row.kind === "retyped") return retype(told, found);
  const address = told.address && addressFor(found, told.address);
  const { occupation } = told;
  const members = {
    ...(address && { address }),
    ...(occupation && { occupation }),
    ...personMembersFor(row, found),
  };
  return tell(found, members, presentIn(members), [APPOINTMENT, PERSON]);
}

/** The appointment with its new type; an id that was derived follows the identity, whose class of role may change. */
function retype(told: Appointment, found: StoredAppointment): HeldEffect {
  const members = membersOfType(told);
  const merged = mergeTold(found.data, told, members);
  const data = { ...merged, appointment_id: realIdOf(found) ?? keyOf(merged) };
  return { kind: "write", data, from: found, aspects: [APPOINTMENT], members };
}

/** A line that has no more of an address than its postcode changes the postcode. */
function addressFor({ data }: StoredAppointment, address: NonNullable<Appointment["address"]>) {
  const isPostcodeAlone = Object.keys(address).every((member) => member === "postal_code");
  return isPostcodeAlone ? { ...data.address, ...address } : address;
}

/** The appointment as the line tells it, with what only other sources tell of the one that it was made from. */
function store(told: Appointment, view: HeldView, found?: StoredAppointment): HeldEffect {
  const id = keyOf(told);
  const held = heldAt(view, id);
  const before = found ?? held;
  const aspects = [APPOINTMENT, PERSON, ...(found ? [] : [CREATION, COMPANY])];
  const merged = before ? mergeAll(before.data, told) : { ...told };
  const appointment_id = realIdOf(held) ?? realIdOf(found) ?? id;
  const data = { ...merged, appointment_id, officer_id: officerIdOf(told, before) };
  return { kind: "write", data, aspects, ...(before && { from: before }) };
}

/** Everything that is told counts, blanks included; an address that says the same in more detail stays. */
function mergeAll(held: Appointment, told: Appointment): Appointment {
  const merged = mergeRecords(held, told, APPOINTMENT_MEMBERS) as Appointment;
  const { is_corporate, name_elements } = told;
  return { ...merged, is_corporate, ...(name_elements && { name_elements }) };
}

/** That of the record itself while it is the same person's; a real one that is known of another is given to it later. */
function officerIdOf({ person_number = "" }: Appointment, before: StoredAppointment | undefined): string {
  return before && isSamePerson(before.person_number, person_number)
    ? before.officer_id
    : deriveOfficerId(person_number);
}

/** A line that was followed, and then broken off: what it has moved is still held where it was. */
function leaveFormer(row: UpdateRow, view: HeldView, held: StoredAppointment | undefined): HeldEffect[] {
  const { left } = held?.update ?? {};
  const former = left === undefined ? undefined : heldAt(view, left);
  return former && !isTold(former, APPOINTMENT, row.place) ? [{ kind: "remove", held: former }] : [];
}
