/**
 * Owns the rules of the officers' daily update (bulk formats 3.7): what a line states of the appointment that it means, and
 * of others. Pure. Each rule asks what is held whether it has been told before, so that it may be followed again.
 */
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { hiddenMembersOf } from "../../api/resources/officer-appointment/members.ts";
import type { RawCompany } from "../../api/resources/officer-appointment/normalise.ts";
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { mergeRecords, each, exactly, wholly, type MemberMerge } from "../statements/merge.ts";
import type { HeldChange, HeldMemory } from "../statements/held-memory.ts";
import { tableOf, type Told } from "../statements/statement.ts";
import { UPDATE_TELLING } from "./officers-layout.ts";
import { SNAPSHOT_RULES } from "./officers-snapshot.ts";
import {
  APPOINTMENT,
  appointmentsOf,
  COMPANY,
  CREATION,
  findAppointment,
  heldAt,
  isDone,
  isSamePerson,
  isTold,
  keyOf,
  PERSON,
  PERSON_MEMBERS,
  realIdOf,
  type ToldRow,
  type UpdateRow,
} from "./officers-update-held.ts";

/** What the correction of a nominee tells. */
type NomineeDetails = UpdateRow["person"] & Pick<Appointment, "address">;

// What a line has all of: what a snapshot tells. Neither of them has the ids that the API gives.
const MEMBERS = [...Object.keys(SNAPSHOT_RULES), "etag", "is_corporate"];

/** How what it makes of an appointment stands against what other sources told of it before. */
export const TELLING = each(MEMBERS, exactly);

// How it is made of what is held: what that says in more detail stays, but for names. Of the company its own line tells.
const RULES: Readonly<Record<string, MemberMerge>> = {
  ...each(MEMBERS, wholly),
  ...each(["name_elements", "is_corporate"], exactly),
  company_name: (held, incoming) => held ?? incoming,
  company_status: (held, incoming) => held ?? incoming,
};

/** The change that a line of an appointment is. */
export function changeAppointment(row: UpdateRow): HeldChange {
  const { place, company_number, oldId, appointment } = row;
  const identities = [...new Set([oldId, ...(appointment ? [keyOf(appointment)] : [])])];
  return {
    place,
    looksAt: { company_number: [company_number], person_number: personsOf(row) },
    identities,
    decide: (held) => (appointment ? tell({ ...row, appointment }, held) : takeAway(row, held)),
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
  return { place, looksAt: {}, identities: [], correction: { person_number, members } };
}

/** What the correction of its nominee states of an appointment, as it would be without; null: nothing. */
export function stateCorrection(data: Appointment, details: NomineeDetails) {
  if (!isOfKind(data, details)) return null;
  const hidden: readonly string[] = hiddenMembersOf(data.officer_role);
  const members = Object.keys(details).filter((member) => !hidden.includes(member));
  return partOf(merge(data, details, members), members);
}

/** The change that a company line is: name and status of the company stand with each of its appointments. */
export function changeCompany(place: number, company_number: string, company: RawCompany): HeldChange {
  return {
    place,
    looksAt: { company_number: [company_number] },
    identities: [],
    decide: (held) => {
      const open = held.find("company_number", company_number).filter((one) => !isTold(one, COMPANY, place));
      for (const from of open)
        held.state(from._id, { from, aspects: [COMPANY], of: Object.keys(company), data: { ...company } });
      return undefined;
    },
  };
}

/** What was entered in error. Where the line states another day than what is held, a repeat knows by its own day that it is done. */
function takeAway(row: UpdateRow, held: HeldMemory): string | undefined {
  const { oldId, place } = row;
  if (held.withdrawnAt(oldId) >= place) return undefined;
  const found = findAppointment(row, held);
  // Deleted and entered again by a later line of the same day: it has been followed.
  if (!found && isTold(held.get(oldId), APPOINTMENT, place)) return undefined;
  if (found) held.remove(found);
  held.withdraw(oldId);
  return found ? undefined : "errored: was not held";
}

function tell(row: ToldRow, held: HeldMemory): string | undefined {
  const { appointment, place, oldId } = row;
  const id = keyOf(appointment);
  const target = heldAt(held, id);
  const isRepeat = isDone(row, held);
  const found = isRepeat ? target : findAppointment(row, held);
  if (isRepeat) leaveFormer(row, held, target);
  else if (found) tellOwn(row, found, held);
  else store(appointment, undefined, held);
  if (found && found.update?.places[CREATION] !== place) tellPerson(row, held, [id, found._id]);
  // A snapshot of a day before would bring it under what the line says it was held as.
  if (oldId !== id) held.withdraw(oldId);
  return found || isRepeat ? undefined : warningOf(row);
}

/** Only a new appointment, and a merge of which the old number is not held, are to be expected without being held. */
function warningOf({ kind, old, appointment }: ToldRow): string | undefined {
  const isNew = kind === "changed" && !old.type.isResigned;
  const isMerge = kind === "renumbered" && !isSamePerson(old.person_number, appointment.person_number);
  return isNew || isMerge ? undefined : `${kind}: was not held, stored as the line tells it`;
}

/** A line that was followed, and then broken off: what it has moved is still held where it was. */
function leaveFormer({ place }: UpdateRow, held: HeldMemory, target: StoredAppointment | undefined): void {
  const former = held.get(target?.update?.left ?? "");
  if (former && !isTold(former, APPOINTMENT, place)) held.remove(former);
}

/** What the line makes of the appointment that was found. */
function tellOwn(row: ToldRow, found: StoredAppointment, held: HeldMemory): void {
  const { kind, appointment: told } = row;
  if (kind === "retyped") return retype(told, found, held);
  if (kind !== "changed") return store(told, found, held);
  const { occupation } = told;
  const address = told.address && addressFor(found, told.address);
  const own = Object.entries({ address, occupation }).flatMap(([member, given]) => (given ? member : []));
  const members = [...own, ...personMembers(row, found)];
  const merged = merge(found.data, { ...row.person, address, occupation }, members);
  held.state(found._id, { from: found, aspects: [APPOINTMENT, PERSON], ...partOf(merged, members) });
}

/** A line that has no more of an address than its postcode changes the postcode. */
function addressFor({ data }: StoredAppointment, address: NonNullable<Appointment["address"]>) {
  const isPostcodeAlone = Object.keys(address).every((member) => member === "postal_code");
  return isPostcodeAlone ? { ...data.address, ...address } : address;
}

/** Sets the type, and takes away what is never shown of that. Another class of role is another identity. */
function retype(told: Appointment, found: StoredAppointment, held: HeldMemory): void {
  const members = ["officer_role", "resigned_on", ...hiddenMembersOf(told.officer_role)];
  const merged = merge(found.data, told, members);
  const id = keyOf(merged);
  const appointment_id = realIdOf(found) ?? id;
  const stated = id === found._id ? partOf(merged, members) : wholeOf({ ...merged, appointment_id }, found);
  held.state(id, { from: found, aspects: [APPOINTMENT], ...stated });
}

/** The appointment as the line tells it, with what only other sources tell of the one that it was made from. */
function store(told: Appointment, found: StoredAppointment | undefined, held: HeldMemory): void {
  const id = keyOf(told);
  const target = heldAt(held, id);
  const from = found ?? target;
  const merged = from ? merge(from.data, told, MEMBERS) : told;
  const appointment_id = realIdOf(target) ?? realIdOf(found) ?? id;
  // That of the record itself while it is the same person's; a real one that is known of another is given to it later.
  const isSame = from && isSamePerson(from.person_number, told.person_number);
  const officer_id = isSame ? from.officer_id : deriveOfficerId(told.person_number ?? "");
  const aspects = [APPOINTMENT, PERSON, ...(found ? [] : [CREATION, COMPANY])];
  held.state(id, { from, aspects, ...wholeOf({ ...merged, appointment_id, officer_id }, from) });
}

/**
 * All that a line tells, made of what was held: with the ids, where the real ones go along to another identity, and with what
 * else is held, where no other source states it.
 */
function wholeOf(
  merged: Appointment,
  from: StoredAppointment | undefined,
): Pick<Told, "tells" | "of" | "data"> {
  const names = [...MEMBERS, "company_number", "appointment_id", "officer_id"];
  const isTakenAlong = realIdOf(from) !== undefined && from?._id !== keyOf(merged);
  const isOfOthers = (from?.told ?? []).some((one) => tableOf(one) === undefined);
  const data = isOfOthers ? pick({ ...merged }, names) : { ...merged };
  return { tells: UPDATE_TELLING, data, ...(isTakenAlong && { of: names }) };
}

/** These members and no others. A tag that a source gave the content is not that of another. */
function partOf(merged: Appointment, members: readonly string[]): Required<Pick<Told, "of" | "data">> {
  const of = [...members, "etag"];
  return { of, data: pick({ ...merged }, of) };
}

/** Tells every other appointment of the number what a change or a correction says of the person. */
function tellPerson(row: ToldRow, held: HeldMemory, own: readonly string[]): void {
  const number = row.old.person_number;
  if ((row.kind !== "changed" && row.kind !== "corrected") || number.startsWith("9")) return;
  for (const other of appointmentsOf(held, "person_number", number)) {
    if (own.includes(other._id) || isTold(other, PERSON, row.place)) continue;
    if (!isOfKind(other.data, row.person)) continue;
    const members = personMembers(row, other);
    const merged = merge(other.data, row.person, members);
    held.state(other._id, { from: other, aspects: [PERSON], ...partOf(merged, members) });
  }
}

/**
 * What a line tells of the person in this appointment: a change nationality and residence where they are filled, a correction
 * everything, blanks included. What is never shown of the line's own role is blank there, which says nothing.
 */
function personMembers({ kind, person, appointment }: ToldRow, { data }: StoredAppointment): string[] {
  const isCorrection = kind === "corrected";
  const [hidden, unsaid] = [data, appointment].map((one): string[] => [...hiddenMembersOf(one.officer_role)]);
  const told = isCorrection ? PERSON_MEMBERS : (["nationality", "country_of_residence"] as const);
  return told.filter(
    (member) =>
      !hidden?.includes(member) &&
      (person[member] !== undefined || (isCorrection && !unsaid?.includes(member))),
  );
}

/** A body's line says nothing of a person, nor the other way round. */
function isOfKind(data: Appointment, { name_elements }: UpdateRow["person"]): boolean {
  return data.is_corporate === (name_elements === undefined);
}

/** The data with these members as told; absent ones are gone. */
function merge(data: Appointment, told: object, members: readonly string[]): Appointment {
  const names = [...members, "etag"];
  return mergeRecords(data, pick({ ...told }, names), pick(RULES, names)) as Appointment; // it was one
}

function pick<V>(members: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}
