/**
 * Owns the rules of the officers' daily update (bulk formats 3.7): which appointment a line means and what it states of that one
 * and of others. Pure. Each rule asks what is held whether it has been told before, so that it may be followed again.
 */
import { deriveOfficerId, personOf } from "../../api/resources/officer-appointment/identity.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { hiddenMembersOf } from "../../api/resources/officer-appointment/members.ts";
import type { RawCompany } from "../../api/resources/officer-appointment/normalise.ts";
import {
  appointmentRecord,
  type Appointment,
  type StoredAppointment,
} from "../../api/resources/officer-appointment/record.ts";
import { mergeRecords, each, exactly, wholly, type MemberMerge } from "../statements/merge.ts";
import type { HeldChange, HeldMemory } from "../statements/held-memory.ts";
import { tableOf } from "../statements/statement.ts";
import { plainRoleOf, UPDATE_TELLING } from "./officers-layout.ts";
import { SNAPSHOT_RULES } from "./officers-snapshot.ts";
import type { UpdateRow } from "./officers-update.ts";

/** A line that tells what the appointment is now. */
type ToldRow = UpdateRow & { appointment: Appointment };

/** What is held, of which the changes of this source look at appointments alone. */
type Held = Omit<HeldMemory, "find" | "get"> & {
  find: (field: string, value: string) => StoredAppointment[];
  get: (id: string) => StoredAppointment | undefined;
};

/** What a record remembers to have been told up to some place; `creation`: that it was new, and its person no other's. */
type Aspect = "appointment" | "person" | "company" | "creation";

// What a line has all of: what a snapshot tells. Neither of them has the ids that the API gives.
const MEMBERS = [...Object.keys(SNAPSHOT_RULES), "etag", "is_corporate"];

/** How what it makes of an appointment stands against what other sources told of it before. */
export const TELLING = each(MEMBERS, exactly);

// How it is made of what is held: what that says in more detail stays, but for names. Of the company its own line tells.
const RULES: Readonly<Record<string, MemberMerge>> = {
  ...each(MEMBERS, wholly),
  ...each(["name_elements", "is_corporate"], exactly),
  ...each(["company_name", "company_status"], (held, incoming) => held ?? incoming),
};

/** The change that a line of an appointment is. */
export function changeAppointment(row: UpdateRow): HeldChange {
  const { place, company_number, old, oldId, appointment, person } = row;
  return {
    place,
    looksAt: { company_number: [company_number], person_number: person ? [old.person_number] : [] },
    identities: [oldId, ...(appointment ? [appointmentRecord.identify(appointment)] : [])],
    decide: (memory) => {
      const held = memory as unknown as Held; // which has appointments alone
      return appointment ? tell({ ...row, appointment }, held) : takeAway(row, held);
    },
  };
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

/** What a line or a nominee's correction states of an appointment by these members of its person; null: it is of another kind. */
export function statePerson(
  data: Appointment,
  person: Partial<Appointment>,
  members: readonly string[] = Object.keys(person),
) {
  // A body's line says nothing of a person, nor the other way round.
  if (data.is_corporate !== (person.name_elements === undefined)) return null;
  const hidden: readonly string[] = hiddenMembersOf(data.officer_role);
  const of = [...members.filter((member) => !hidden.includes(member)), "etag"];
  return { of, data: pick({ ...merge(data, person, of) }, of) };
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
  const { kind, old, appointment, place, oldId } = row;
  const id = appointmentRecord.identify(appointment);
  const target = held.get(id);
  const isRepeat = isDone(row, held);
  const found = isRepeat ? target : findAppointment(row, held);
  if (!isRepeat) tellOwn(row, found, held);
  // A line that was followed, and then broken off: what it has moved is still held where it was.
  const former = isRepeat && held.get(target?.update?.left ?? "");
  if (former && !isTold(former, "appointment", place)) held.remove(former);
  if (found && found.update?.places.creation !== place) tellOthers(row, held, [id, found._id]);
  // A snapshot of a day before would bring it under what the line says it was held as.
  if (oldId !== id) held.withdraw(oldId);
  if (found || isRepeat) return undefined;
  // Only a new appointment, and a merge of which the old number is not held, are to be expected without being held.
  const isNew = kind === "changed" && !old.type.isResigned;
  const isMerge = kind === "renumbered" && !isSamePerson(old, appointment);
  return isNew || isMerge ? undefined : `${kind}: was not held, stored as the line tells it`;
}

/** True when what is held, or was taken away, knows of the line or of a later one. */
function isDone({ appointment, place, company_number }: ToldRow, held: Held): boolean {
  const id = appointmentRecord.identify(appointment);
  if (isTold(held.get(id), "appointment", place) || held.withdrawnAt(id) >= place) return true;
  const role = plainRoleOf(appointment.officer_role);
  // Of another day it is held under another identity. In a file of mended lines another line may stand at the place.
  return held
    .find("company_number", company_number)
    .filter(({ update }) => update?.places.appointment === place)
    .some(({ data }) => isSamePerson(appointment, data) && plainRoleOf(data.officer_role) === role);
}

/** The appointment of company, old type and old number. The day decides among several alone, and for a reinstatement. */
function findAppointment(row: UpdateRow, held: Held): StoredAppointment | undefined {
  const { company_number, old, appointment, oldId, place } = row;
  const isMeant = (one: StoredAppointment) =>
    one.is_resigned === old.type.isResigned &&
    plainRoleOf(one.data.officer_role) === old.type.role &&
    !isTold(one, "appointment", place);
  const ofCompany = held.find("company_number", company_number);
  const candidates = ofCompany.filter((one) => one.person_number === old.person_number && isMeant(one));
  const isReinstated = old.type.isResigned && appointment && appointment.resigned_on === undefined;
  const found =
    candidates.find(({ _id }) => _id === oldId) ??
    (isReinstated ? undefined : chooseUndated(candidates, row));
  if (found) return found;
  // The number may be held in another variant than the line knows.
  const sameIdentity = held.get(oldId);
  return sameIdentity && isMeant(sameIdentity) ? sameIdentity : undefined;
}

/** Of several serving ones the latest; of several resigned ones none but that of the day of resignation. */
function chooseUndated(candidates: StoredAppointment[], { old, resigned_on }: UpdateRow) {
  if (candidates.length < 2) return candidates[0];
  const order = ({ appointed_order, _id }: StoredAppointment) => `${appointed_order}${_id}`;
  if (!old.type.isResigned) return candidates.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0];
  const [first, ...others] = candidates.filter(({ data }) => data.resigned_on === resigned_on);
  return others.length === 0 ? first : undefined;
}

/** What the line makes of the appointment that it means, which moves where person, class of role or day become others. */
function tellOwn(row: ToldRow, found: StoredAppointment | undefined, held: Held): void {
  const { kind, appointment } = row;
  const from = found ?? held.get(appointmentRecord.identify(appointment));
  const members = found ? membersOf(row) : MEMBERS;
  const merged = from ? merge(from.data, completeAddress(row, from), members) : appointment;
  const id = appointmentRecord.identify(merged);
  const isPart = members !== MEMBERS && found?._id === id;
  const stated = isPart
    ? { of: members, data: pick({ ...merged }, members) }
    : wholeOf(merged, from, held.get(id));
  const ofFound: Aspect[] = kind === "retyped" ? ["appointment"] : ["appointment", "person"];
  const aspects: Aspect[] = found ? ofFound : ["appointment", "person", "company", "creation"];
  held.state(id, { from, aspects, ...stated });
}

/** What a line tells of the appointment that it means, but for its ids. A tag of the former content goes with it. */
function membersOf({ kind, appointment }: ToldRow): string[] {
  const filled = (["address", "occupation", "nationality", "country_of_residence"] as const).filter(
    (member) => appointment[member],
  );
  if (kind === "changed") return [...filled, "etag"];
  if (kind !== "retyped") return MEMBERS;
  return ["officer_role", "resigned_on", ...hiddenMembersOf(appointment.officer_role), "etag"];
}

/** A change that has no more of an address than its postcode changes the postcode. */
function completeAddress({ kind, appointment }: ToldRow, { data }: StoredAppointment): Appointment {
  const isPostcode = kind === "changed" && Object.keys(appointment.address ?? {}).join() === "postal_code";
  return isPostcode ? { ...appointment, address: { ...data.address, ...appointment.address } } : appointment;
}

/** All that a line tells, made of the appointment `from` or of the target, which has its identity. */
function wholeOf(merged: Appointment, from?: StoredAppointment, target?: StoredAppointment) {
  const id = appointmentRecord.identify(merged);
  // Real ids go along to another identity; that of another person is given to the record later.
  const officer_id =
    from && isSamePerson(from, merged) ? from.officer_id : deriveOfficerId(merged.person_number ?? "");
  const data = { ...merged, appointment_id: realIdOf(target) ?? realIdOf(from) ?? id, officer_id };
  const names = [...MEMBERS, "company_number", "appointment_id", "officer_id"];
  const isTakenAlong = realIdOf(from) !== undefined && from?._id !== id;
  // What else is held other sources state, where any has told of it.
  const isOfOthers = from?.told?.some((one) => tableOf(one) === undefined);
  const stated = isOfOthers ? pick(data, names) : data;
  return { tells: UPDATE_TELLING, data: stated, ...(isTakenAlong && { of: names }) };
}

/** Tells every other appointment of the number what the line says of the person. */
function tellOthers({ person, old, place }: ToldRow, held: Held, own: readonly string[]): void {
  if (!person) return;
  for (const from of held.find("person_number", old.person_number)) {
    if (own.includes(from._id) || isTold(from, "person", place)) continue;
    const stated = statePerson(from.data, person.told, person.members);
    if (stated) held.state(from._id, { from, aspects: ["person"], ...stated });
  }
}

/** True when this aspect of the record has been told at this place or a later one. */
function isTold(held: StoredRecord | undefined, aspect: Aspect, place: number): boolean {
  return (held?.update?.places[aspect] ?? 0) >= place;
}

/** The id that the API gives, where a source has told it: bulk files leave the derived one. */
function realIdOf(held: StoredAppointment | undefined): string | undefined {
  return held && held.appointment_id !== held._id ? held.appointment_id : undefined;
}

/** True when the numbers are variants of one person. */
function isSamePerson(a: { person_number?: string }, b: { person_number?: string }): boolean {
  return personOf(a.person_number ?? "") === personOf(b.person_number ?? "");
}

/** The data with these members as told; absent ones are gone. */
function merge(data: Appointment, told: object, members: readonly string[]): Appointment {
  return mergeRecords(data, pick({ ...told }, members), pick(RULES, members)) as Appointment; // it was one
}

function pick<V>(members: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}
