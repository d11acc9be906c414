/**
 * Owns the rules of the officers' daily update (bulk formats 3.7): what a line states of the appointment that it means, and
 * of others. Pure. Each rule asks what is held whether it has been told before, so that it may be followed again.
 */
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { hiddenMembersOf } from "../../api/resources/officer-appointment/members.ts";
import type { RawCompany } from "../../api/resources/officer-appointment/normalise.ts";
import type { Appointment, StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { mergeRecords, each, exactly, wholly, type MemberMerge } from "../statements/merge.ts";
import type { HeldChange } from "../statements/held-memory.ts";
import { tableOf } from "../statements/statement.ts";
import { UPDATE_TELLING } from "./officers-layout.ts";
import { SNAPSHOT_RULES } from "./officers-snapshot.ts";
import {
  findAppointment,
  isDone,
  isSamePerson,
  isTold,
  keyOf,
  PERSON_MEMBERS,
  realIdOf,
  type Aspect,
  type Held,
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
    decide: (memory) => {
      const held = memory as unknown as Held; // which has appointments alone
      return appointment ? tell({ ...row, appointment }, held) : takeAway(row, held);
    },
  };
}

/** Numbers of which all appointments are looked at; no nominee's, who may hold a hundred thousand: a blank company stands for these. */
function personsOf({ kind, old, appointment }: UpdateRow): string[] {
  if (kind === "errored" || kind === "retyped") return [];
  return [...new Set([old.person_number, appointment?.person_number ?? ""])].filter(
    (number) => number !== "" && !number.startsWith("9"),
  );
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
      const told = { aspects: ["company"], of: Object.keys(company), data: { ...company } };
      for (const from of held.find("company_number", company_number))
        if (!isTold(from, "company", place)) held.state(from._id, { from, ...told });
      return undefined;
    },
  };
}

/** What was entered in error. */
function takeAway(row: UpdateRow, held: Held): string | undefined {
  const { oldId, place } = row;
  if (held.withdrawnAt(oldId) >= place) return undefined;
  const found = findAppointment(row, held);
  // Deleted and entered again by a later line of the same day: it has been followed.
  if (!found && isTold(held.get(oldId), "appointment", place)) return undefined;
  if (found) held.remove(found);
  // The line may state another day than the record has: by its own day a repeat knows that it is done.
  held.withdraw(oldId);
  return found ? undefined : "errored: was not held";
}

function tell(row: ToldRow, held: Held): string | undefined {
  const { appointment, place, oldId } = row;
  const id = keyOf(appointment);
  const target = held.get(id);
  const isRepeat = isDone(row, held);
  const found = isRepeat ? target : findAppointment(row, held);
  if (!isRepeat) tellOwn(row, found, held);
  // A line that was followed, and then broken off: what it has moved is still held where it was.
  const former = isRepeat && held.get(target?.update?.left ?? "");
  if (former && !isTold(former, "appointment", place)) held.remove(former);
  if (found && found.update?.places.creation !== place) tellPerson(row, held, [id, found._id]);
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

/** What the line makes of the appointment that it means, which moves where person, class of role or day become others. */
function tellOwn(row: ToldRow, found: StoredAppointment | undefined, held: Held): void {
  const { appointment: told } = row;
  const from = found ?? held.get(keyOf(told));
  const { members, aspects } = toldOf(row, found);
  const merged = from
    ? merge(from.data, row.kind === "changed" ? completeAddress(told, from) : told, members)
    : told;
  const id = keyOf(merged);
  const isPart = members !== MEMBERS && found?._id === id;
  const stated = isPart ? partOf(merged, members) : wholeOf(merged, found, held.get(id));
  held.state(id, { from, aspects, ...stated });
}

/** What a line tells of the appointment that was found, if any, but for its ids; of a new one everything. */
function toldOf(row: ToldRow, found?: StoredAppointment): { members: readonly string[]; aspects: Aspect[] } {
  const { kind, appointment } = row;
  if (!found) return { members: MEMBERS, aspects: ["appointment", "person", "company", "creation"] };
  const hidden = hiddenMembersOf(appointment.officer_role);
  if (kind === "retyped")
    return { members: ["officer_role", "resigned_on", ...hidden], aspects: ["appointment"] };
  const given = (["address", "occupation"] as const).filter((member) => appointment[member]);
  const members = kind === "changed" ? [...given, ...personMembers(row, found)] : MEMBERS;
  return { members, aspects: ["appointment", "person"] };
}

/** A line that has no more of an address than its postcode changes the postcode. */
function completeAddress(told: Appointment, { data }: StoredAppointment): Appointment {
  const isPostcodeAlone = Object.keys(told.address ?? {}).join() === "postal_code";
  return isPostcodeAlone ? { ...told, address: { ...data.address, ...told.address } } : told;
}

/** All that a line tells, made of the appointment that was found or of the target, which has its identity. */
function wholeOf(merged: Appointment, found?: StoredAppointment, target?: StoredAppointment) {
  const from = found ?? target;
  const id = keyOf(merged);
  // Real ids go along to another identity; that of another person is given to the record later.
  const isSame = from && isSamePerson(from.person_number, merged.person_number);
  const officer_id = isSame ? from.officer_id : deriveOfficerId(merged.person_number ?? "");
  const data = { ...merged, appointment_id: realIdOf(target) ?? realIdOf(found) ?? id, officer_id };
  const names = [...MEMBERS, "company_number", "appointment_id", "officer_id"];
  const isTakenAlong = realIdOf(from) !== undefined && from?._id !== id;
  // What else is held other sources state, where any has told of it.
  const isOfOthers = (from?.told ?? []).some((one) => tableOf(one) === undefined);
  return {
    ...{ tells: UPDATE_TELLING, data: isOfOthers ? pick(data, names) : data },
    ...(isTakenAlong && { of: names }),
  };
}

/** These members and no others. A tag that a source gave the content is not that of another. */
function partOf(merged: Appointment, members: readonly string[]) {
  const of = [...members, "etag"];
  return { of, data: pick({ ...merged }, of) };
}

/** Tells every other appointment of the number what a change or a correction says of the person. */
function tellPerson(row: ToldRow, held: Held, own: readonly string[]): void {
  const { kind, old, person, place } = row;
  if ((kind !== "changed" && kind !== "corrected") || old.person_number.startsWith("9")) return;
  for (const from of held.find("person_number", old.person_number)) {
    if (own.includes(from._id) || isTold(from, "person", place) || !isOfKind(from.data, person)) continue;
    const members = personMembers(row, from);
    held.state(from._id, {
      from,
      aspects: ["person"],
      ...partOf(merge(from.data, person, members), members),
    });
  }
}

/**
 * What a line tells of the person in this appointment: a change nationality and residence where they are filled, a correction
 * everything, blanks included, but for what is never shown of the line's own role.
 */
function personMembers({ kind, person, appointment }: ToldRow, { data }: StoredAppointment): string[] {
  const isHidden = (member: string, { officer_role }: Appointment) =>
    hiddenMembersOf(officer_role).some((hidden) => hidden === member);
  const isBlankTold = (member: string) => kind === "corrected" && !isHidden(member, appointment);
  const told = kind === "corrected" ? PERSON_MEMBERS : (["nationality", "country_of_residence"] as const);
  return told.filter(
    (member) => !isHidden(member, data) && (person[member] !== undefined || isBlankTold(member)),
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
