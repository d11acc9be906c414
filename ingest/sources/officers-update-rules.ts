/** Rules of the officers' daily update (bulk formats 3.7): what a line states. Pure functions, safe to apply again. */
import { deriveOfficerId, personOf, plainRoleOf } from "../../api/resources/officer-appointment/identity.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { hiddenMembersOf, type Appointment } from "../../api/resources/officer-appointment/members.ts";
import type { RawCompany } from "../../api/resources/officer-appointment/from-bulk.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { mergeRecords, each, exactly, wholeAddress, wholly, type MemberMerge } from "../statements/merge.ts";
import type { ChangeableRecords, RecordChange } from "../statements/record-change.ts";
import { nameOfRules } from "../statements/statement.ts";
import { COMPANY_MEMBERS, UPDATE_RULES, type AppointmentType } from "./officers-layout.ts";
import { blanksOf, identification, SNAPSHOT_RULES } from "./officers-snapshot.ts";

export interface UpdateRow {
  /** The line's place in the series of updates, from run and line. */
  place: number;
  kind: "errored" | "renumbered" | "corrected" | "retyped" | "changed";
  company_number: string;
  old: { type: AppointmentType; person_number: string };
  /** The id under the old number and the line's appointment day. */
  oldId: string;
  /** The line's resignation day, `YYYY-MM-DD`; empty: none. */
  resigned_on: string;
  /** The new state; absent for an appointment that was entered in error. */
  appointment?: Appointment;
  /** Members that apply to every appointment of the person number, whatever the role. */
  person?: { stated: Partial<Appointment>; members: string[] };
}

type AppointmentRow = UpdateRow & { appointment: Appointment };

type Memory = Omit<ChangeableRecords, "find" | "get"> & {
  find: (field: string, value: string) => StoredAppointment[];
  get: (id: string) => StoredAppointment | undefined;
};

// A line has the same members as a snapshot; neither has the API's ids.
const MEMBERS = [...Object.keys(SNAPSHOT_RULES), "etag"];

/** How a line's statement is merged with earlier statements of other sources. */
export const MEMBER_RULES = { ...each(MEMBERS, exactly), identification };

// How a line is merged with the stored record: stored values that say the same in more detail stay, except names. The
// company's members come from its own line.
const RULES: Readonly<Record<string, MemberMerge>> = {
  ...each(MEMBERS, wholly),
  address: wholeAddress,
  ...each(["name_elements", "is_corporate"], exactly),
  ...each(COMPANY_MEMBERS, (stored, incoming) => stored ?? incoming),
};

export function changeAppointment(row: UpdateRow): RecordChange {
  const { place, company_number, old, oldId, appointment, person } = row;
  return {
    place,
    keys: { company_number: [company_number], person_number: person ? [old.person_number] : [] },
    identities: [oldId, ...(appointment ? [appointmentRecord.identify(appointment)] : [])],
    decide: (records) => {
      const memory = records as unknown as Memory; // it only has appointments
      return appointment ? applyRow({ ...row, appointment }, memory) : applyRemoval(row, memory);
    },
  };
}

export function changeCompany(
  place: number,
  company_number: string,
  company: Partial<RawCompany>,
): RecordChange {
  return {
    place,
    keys: { company_number: [company_number] },
    identities: [],
    decide: (memory) => {
      const statement = { of: Object.keys(company), data: { ...company } };
      for (const from of memory.find("company_number", company_number))
        memory.state(from._id, { from, ...statement });
      return undefined;
    },
  };
}

/** What the correction of a nominee states of an appointment; null if one is a body and the other a person. */
export function stateNominee(data: Appointment, corrected: Partial<Appointment>) {
  return statePerson(data, completeAddress(corrected, data));
}

/** What a line states of the person of an appointment; null if one is a body and the other a person. */
function statePerson(data: Appointment, person: Partial<Appointment>, members = Object.keys(person)) {
  if (data.is_corporate !== (person.name_elements === undefined)) return null;
  const hidden: readonly string[] = hiddenMembersOf(data.officer_role);
  const of = [...members.filter((member) => !hidden.includes(member)), "etag"];
  return { of, data: pick({ ...merge(data, person, of) }, of) };
}

function applyRemoval(row: UpdateRow, memory: Memory): string | undefined {
  const { oldId, place } = row;
  // Done before; a later line, such as a merge of the same day, may have brought another record there since.
  if (memory.placeOfTombstone(oldId) >= place || isNewcomer(memory.get(oldId), place)) return undefined;
  const found = findAppointment(row, memory);
  if (found) memory.remove(found);
  // For the line's own id, too: the record may have another day, and a repeat of the line looks for its id.
  memory.addTombstone(oldId);
  return found ? undefined : "errored: was not stored";
}

function applyRow(row: AppointmentRow, memory: Memory): string | undefined {
  const { kind, old, appointment, place, oldId } = row;
  const id = appointmentRecord.identify(appointment);
  const done = findDone(row, memory);
  // This line, or a later one, has moved or deleted the appointment.
  const isPast = Math.max(memory.placeOfTombstone(id), memory.placeOfTombstone(oldId)) >= place;
  const found = done ?? (isPast ? undefined : findAppointment(row, memory));
  if (!found && (isPast || isNewcomer(memory.get(id), place))) return undefined;
  // The record may be in another state than the line's old one.
  const isStored = memory.get(oldId) !== undefined;
  if (!done) stateAppointment(row, found, memory);
  // If an earlier run stopped within this line, the moved record is still stored under its old id.
  const left = done?.update?.left;
  const former = memory.get(left ?? "");
  if (former && !isNewcomer(former, place)) memory.remove(former);
  // A line that creates an appointment changes no others.
  if (found && (!done || left !== undefined)) statePersonElsewhere(row, memory, [id, found._id]);
  // Stops an older snapshot from adding the old state, and shows a repeat of the line that it was applied to a record
  // with another day.
  for (const one of [oldId, id]) memory.addTombstone(one);
  if (found || isStored) return undefined;
  // Only a new appointment, or a merge of an unknown old number, may lack a stored record.
  const isNew = kind === "changed" && !old.type.isResigned;
  const isMerge = !isSamePerson(old, appointment);
  return isNew || isMerge ? undefined : `${kind}: was not stored, added from the line`;
}

/** The appointment that this line has brought to its person number, type or day. */
function findDone({ appointment, place, company_number }: AppointmentRow, memory: Memory) {
  const role = plainRoleOf(appointment.officer_role);
  // If its day differs, it has another id. In a file of mended lines another line may have this place.
  return memory
    .find("company_number", company_number)
    .filter(({ update }) => update?.places.arrival === place)
    .find(({ data }) => isSamePerson(appointment, data) && plainRoleOf(data.officer_role) === role);
}

/**
 * The stored appointment that the line changes: the one of the line's day, else one of the same company, old type and
 * old person number. A reinstatement must match the day.
 */
function findAppointment(row: UpdateRow, memory: Memory): StoredAppointment | undefined {
  const { company_number, old, appointment, oldId, place } = row;
  const isInOldState = (one: StoredAppointment) =>
    one.is_resigned === old.type.isResigned && plainRoleOf(one.data.officer_role) === old.type.role;
  // Its stored number may be another variant. If it is in another state, a stream was faster: no other one is taken.
  const ofDay = memory.get(oldId);
  if (ofDay) return isInOldState(ofDay) ? ofDay : undefined;
  const isReinstated = old.type.isResigned && appointment && appointment.resigned_on === undefined;
  if (isReinstated || memory.isDeletedByEvent(oldId)) return undefined;
  const ofCompany = memory.find("company_number", company_number);
  const isCandidate = (one: StoredAppointment) =>
    one.person_number === old.person_number && isInOldState(one) && !isNewcomer(one, place);
  return chooseUndated(ofCompany.filter(isCandidate), row);
}

/** Of several serving ones the latest; of several resigned ones the only one with the line's resignation day. */
function chooseUndated(candidates: StoredAppointment[], { old, resigned_on }: UpdateRow) {
  if (candidates.length < 2) return candidates[0];
  const order = ({ appointed_order, _id }: StoredAppointment) => `${appointed_order}${_id}`;
  if (!old.type.isResigned) return candidates.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0];
  const [first, ...others] = candidates.filter(({ data }) => data.resigned_on === resigned_on);
  return others.length === 0 ? first : undefined;
}

/** Applies a line to its appointment, which moves if person, class of role or day change. */
function stateAppointment(row: AppointmentRow, found: StoredAppointment | undefined, memory: Memory): void {
  const { kind, appointment } = row;
  const from = found ?? memory.get(appointmentRecord.identify(appointment));
  const members = found ? membersOf(row, found.data) : MEMBERS;
  const incoming = from && kind === "changed" ? completeAddress(appointment, from.data) : appointment;
  const merged = from ? merge(from.data, incoming, members) : appointment;
  const id = appointmentRecord.identify(merged);
  const isPart = members !== MEMBERS && found?._id === id;
  const stated = isPart
    ? { of: members, data: pick({ ...merged }, members) }
    : { tells: UPDATE_RULES, ...wholeOf(merged, from, memory.get(id)) };
  // Only in a correction a blank is a removal, for example of a birth date that is not the officer's.
  const removes = kind === "corrected" ? blanksOf(merged) : [];
  const isSame = found?._id === id && (kind === "changed" || kind === "corrected");
  memory.state(id, { from, own: isSame ? "same" : "arrival", removes, ...stated });
}

/** Members that a line sets, except ids. `etag` is removed, since it belongs to the old content. */
function membersOf({ kind, appointment }: AppointmentRow, stored: Appointment): string[] {
  const isFilled = (member: keyof Appointment) => appointment[member] !== undefined;
  const changed = (["address", "occupation", "nationality", "country_of_residence"] as const).filter(
    isFilled,
  );
  if (kind === "changed") return [...changed, "etag"];
  if (kind !== "retyped") return MEMBERS;
  const shown = hiddenMembersOf(stored.officer_role).filter(isFilled);
  return ["officer_role", "resigned_on", ...shown, ...hiddenMembersOf(appointment.officer_role), "etag"];
}

/** Keeps the rest of the stored address if a change, or the correction of a nominee, only has a postcode. */
function completeAddress<Stated extends Partial<Appointment>>(
  stated: Stated,
  { address }: Appointment,
): Stated {
  const isPostcode = Object.keys(stated.address ?? {}).join() === "postal_code";
  return isPostcode ? { ...stated, address: { ...address, ...stated.address } } : stated;
}

/** The whole record, with the API's ids of the `target` (stored under the same id) or of `from`. */
function wholeOf(merged: Appointment, from?: StoredAppointment, target?: StoredAppointment) {
  const id = appointmentRecord.identify(merged);
  // The API's ids move with the record. The real id of another person is set later.
  const officer_id =
    from && isSamePerson(from, merged) ? from.officer_id : deriveOfficerId(merged.person_number ?? "");
  const data = { ...merged, appointment_id: realIdOf(target) ?? realIdOf(from) ?? id, officer_id };
  const names = [...MEMBERS, "company_number", "appointment_id", "officer_id"];
  const keepsRealId = realIdOf(from) !== undefined && from?._id !== id;
  // If other sources have stated the record, they give everything else.
  const isOfOthers = from?.told?.some((one) => nameOfRules(one) === undefined);
  const stated = isOfOthers ? pick(data, names) : data;
  return {
    data: stated,
    ...(keepsRealId && { of: merged.is_corporate ? names : [...names, "identification"] }),
  };
}

/** States the person's members in the other appointments of the number. */
function statePersonElsewhere(
  { person, old, place }: AppointmentRow,
  memory: Memory,
  own: readonly string[],
): void {
  if (!person) return;
  for (const from of memory.find("person_number", old.person_number)) {
    if (own.includes(from._id) || isNewcomer(from, place)) continue;
    const stated = statePerson(from.data, person.stated, person.members);
    if (!stated) continue;
    const { officer_role, is_corporate } = from.data;
    const blanks = blanksOf({ officer_role, is_corporate, ...stated.data });
    const removes = stated.of.filter((member) => blanks.includes(member));
    memory.state(from._id, { from, removes, ...stated });
  }
}

/**
 * True if this line or a later one has brought the record to its person number, type or day: an earlier line is not
 * about it. Other lines need no such check, since the statement of the highest place counts.
 */
function isNewcomer(stored: StoredRecord | undefined, place: number): boolean {
  return (stored?.update?.places.arrival ?? 0) >= place;
}

/** The appointment id from the API, if known; bulk files only have the derived one. */
function realIdOf(stored: StoredAppointment | undefined): string | undefined {
  return stored && stored.appointment_id !== stored._id ? stored.appointment_id : undefined;
}

function isSamePerson(a: { person_number?: string }, b: { person_number?: string }): boolean {
  return personOf(a.person_number ?? "") === personOf(b.person_number ?? "");
}

/** Sets these members; absent ones are removed. */
function merge(data: Appointment, incoming: object, members: readonly string[]): Appointment {
  return mergeRecords(data, pick({ ...incoming }, members), pick(RULES, members)) as Appointment; // it was one
}

function pick<V>(members: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}
