/**
 * The officers' daily update, Prod198.
 *
 * Publisher: the registrar, every working day; tens of thousands of lines. Text, LF, UTF-8; positions count
 * characters. Person lines have an old and new state (bulk formats 3.7), nominees' corrections no company.
 * - Order: within a company by new type, highest first. Batches of a file run in order, files by ascending run.
 *   What a line states has its run and line as its place, and the highest place counts: a repeated file or batch
 *   changes nothing, and a mended line (`--mends`) takes the place of the refused one. Removed ids leave tombstones.
 *   Records remember the line that brought them to their person, type or day: earlier ones are about others.
 * - An appointment that is deleted and entered again on one day is corrected instead, so that it keeps the API's ids
 *   and what streams have stated of it.
 * - An appointment that is not stored is added with a warning; a deletion only warns. The old id gets a
 *   tombstone, so that an earlier snapshot does not add it.
 * - An appointment is found even if its stored day differs from the line's. Only a correction changes the day.
 * - A company line, even alone, updates all stored appointments of the company, even those that a stream stated later.
 *   An empty name is left out with a warning. The number of officers is not checked, since resigned ones may not be
 *   loaded.
 * - A moved appointment keeps the API's ids; a merge takes over the new person's id if known.
 * - Refused, besides a snapshot's reasons: numbers not of twelve digits; a blank company except for nominees.
 * - Limit: changes to all appointments of a company or person (except nominees) miss those that an older snapshot adds
 *   later; an appointment whose day was corrected is added again with its old day. Both loads note this.
 * - Limit: a company line misses appointments that are not stored, or are deleted, when it is applied, and that a
 *   stream states later.
 * - Limit: run numbers have four digits; after 9999, start from a new snapshot on an empty register.
 */
import { parseDate } from "../../api/shared/values/dates.ts";
import { RecordError } from "../../api/shared/runtime/errors.ts";
import { readAppointedOn, type RawCompany } from "../../api/resources/officer-appointment/from-bulk.ts";
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import { hiddenMembersOf } from "../../api/resources/officer-appointment/members.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import { cutGroups, type RawRow } from "../readers/read-rows.ts";
import type { RecordChange } from "../statements/record-change.ts";
import { defineSource, type Outcome } from "./define-source.ts";
import {
  CORRECTION_RULES,
  LASTING_MEMBERS,
  mapCompany,
  officersFrame,
  readAppointment,
  readAppointmentType,
  readUpdateLine,
  REPLACED,
  UPDATE_RULES,
  type AppointmentType,
  type OfficerLine,
} from "./officers-layout.ts";
import { PATCH } from "../statements/statement.ts";
import { updateSeries } from "./officers-runs.ts";
import { changeAppointment, changeCompany, MEMBER_RULES, type UpdateRow } from "./officers-update-rules.ts";

const ERRORED = "99";
const NAMES_AND_BIRTH = ["name", "name_elements", "date_of_birth"] as const;
const OF_CHANGES = ["nationality", "country_of_residence"] as const;
// The API shows all members of directors.
const DIRECTOR: AppointmentType = { role: "director", isResigned: false };
// A trailer counts lines in eight digits, so a file has fewer.
const PLACES_PER_RUN = 100_000_000;

const { isTrailer, framed } = officersFrame("DDDDUPDT", {
  header: "DDDDSNAP",
  fault: (found) => `expected a daily update, found ${found}: it is a snapshot (officers-snapshot)`,
});

export const officersUpdate = defineSource({
  name: "officers-update",
  title: "officers' daily update (Prod198)",
  fills: [appointmentRecord],
  fileNames: /^Prod198_/i,
  ...framed,
  isOrdered: true,
  series: updateSeries,
  mergeRules: {
    [UPDATE_RULES]: { rules: MEMBER_RULES, replaces: REPLACED, lasting: LASTING_MEMBERS },
    [CORRECTION_RULES]: { rules: MEMBER_RULES, replaces: REPLACED, lasting: LASTING_MEMBERS },
    // A company line sets no members but the company's, and no other source states only some members.
    [PATCH]: { rules: {}, replaces: [], lasting: LASTING_MEMBERS },
  },
  mapRows: (rows, { run }) =>
    cutGroups(rows, framed.groupKey).flatMap((group) => mapGroup(group, Number(run))),
});

/** Maps a company's lines in the order in which they apply, and gives them the group's line numbers as places. */
function mapGroup(rows: RawRow[], run: number): Outcome[] {
  // Company line first, then the highest new type, then file order.
  const ordered = rows.toSorted((a, b) => rankOf(b.text).localeCompare(rankOf(a.text)) || a.line - b.line);
  const places = new Map(ordered.map((row, at) => [row, run * PLACES_PER_RUN + (rows[at]?.line ?? 0)]));
  const placeOf = (row: RawRow) => places.get(row) ?? 0;
  const errored = new Set<string>();
  const outcomes = mapCompany(ordered, {
    isTrailer,
    ofCompany: (row, company, warnings) => {
      const { company_name, company_status } = company;
      if (!company_name) warnings.push("company_name: is empty, left out");
      const stated = company_name ? company : { company_status };
      return toChange(changeCompany(placeOf(row), readCompanyNumber(row.text), stated));
    },
    ofPerson: (row, company, warnings) =>
      row.text.startsWith(" ".repeat(8))
        ? mapNominee(row.text, placeOf(row), warnings)
        : mapPerson(row.text, { place: placeOf(row), company, warnings, errored }),
  });
  const entered = new Set(outcomes.map(readEntered));
  return outcomes.map((one) => {
    // A line of an appointment entered in error has one identity; others have that of their new state, too.
    const [oldId, ...others] = one.kind === "change" ? one.change.identities : [];
    const isEnteredAgain = oldId !== undefined && others.length === 0 && entered.has(oldId);
    return isEnteredAgain ? { ...toChange({ place: 0, keys: {}, identities: [] }), row: one.row } : one;
  });
}

/** The id that a line enters; undefined if the schema refuses it, or if it moves another appointment to the id. */
function readEntered(outcome: Outcome): string | undefined {
  if (outcome.kind !== "change" || outcome.data === undefined) return undefined;
  const [oldId, newId] = outcome.change.identities;
  return oldId === newId && appointmentRecord.check(outcome.data) === null ? newId : undefined;
}

function toChange(change: RecordChange, data?: Appointment) {
  return { kind: "change", record: appointmentRecord, change, ...(data && { data }) } as const;
}

function rankOf(text: string): string {
  return text.charAt(8) === "1" ? "company" : text.slice(17, 19);
}

interface PersonContext {
  place: number;
  company: RawCompany | null;
  warnings: string[];
  /** Ids that earlier lines of the company's group have deleted; each line adds its own. */
  errored: Set<string>;
}

function mapPerson(text: string, { place, company, warnings, errored }: PersonContext) {
  const line = readUpdateLine(text);
  const type = readAppointmentType(line.old_type, "old_type");
  const person_number = requireNumber(line.old_person_number, "old_person_number");
  const company_number = readCompanyNumber(text);
  const appointed_on = readAppointedOn(line.appointment_date);
  const identity = { company_number, person_number, officer_role: type.role, appointed_on };
  const known = {
    ...{ place, company_number, old: { type, person_number }, oldId: deriveAppointmentKey(identity) },
    resigned_on: parseDate(line.resignation_date) ?? "",
  };
  if (line.new_type === ERRORED) {
    errored.add(known.oldId);
    return toChange(changeAppointment({ ...known, kind: "errored" }));
  }
  const newType = readAppointmentType(line.new_type, "new_type");
  const appointment = readAppointment(line, newType, company, warnings);
  const stated = kindOf(line);
  const person = readPerson(line, stated, appointment);
  const isEnteredAgain = stated === "changed" && errored.has(known.oldId);
  const kind = isEnteredAgain ? "corrected" : stated;
  return toChange(changeAppointment({ ...known, kind, appointment, ...(person && { person }) }), appointment);
}

function kindOf(line: ReturnType<typeof readUpdateLine>): UpdateRow["kind"] {
  if (line.old_person_number !== line.person_number) return "renumbered";
  if (line.correction === "Y") return "corrected";
  return line.old_type === line.new_type ? "changed" : "retyped";
}

/**
 * Members that apply to all appointments of the person: of a change, two if they are filled; of a correction, all,
 * blanks included, except those hidden for its role. None for nominees, who may have a hundred thousand appointments:
 * only lines without a company correct those.
 */
function readPerson(line: OfficerLine, kind: UpdateRow["kind"], { officer_role }: Appointment) {
  if ((kind !== "changed" && kind !== "corrected") || line.person_number.startsWith("9")) return undefined;
  const stated = readAppointment(line, DIRECTOR, null, []);
  const hidden: readonly string[] = hiddenMembersOf(officer_role);
  const setsBlank = (member: string) => kind === "corrected" && !hidden.includes(member);
  const all = kind === "changed" ? OF_CHANGES : [...NAMES_AND_BIRTH, ...OF_CHANGES];
  return { stated, members: all.filter((member) => stated[member] !== undefined || setsBlank(member)) };
}

function mapNominee(text: string, place: number, warnings: string[]) {
  const line = readUpdateLine(text);
  const person_number = requireNumber(line.person_number, "person_number");
  if (!person_number.startsWith("9") || line.old_person_number !== person_number) {
    throw new RecordError("is blank; only the correction of a nominee may leave it blank", "company_number");
  }
  const stated = readAppointment(line, DIRECTOR, null, warnings);
  const filled = ([...NAMES_AND_BIRTH, "address"] as const).filter((member) => member in stated);
  const members = Object.fromEntries(filled.map((member) => [member, stated[member]]));
  return toChange({ place, keys: {}, identities: [], correction: { person_number, members } });
}

function readCompanyNumber(text: string): Appointment["company_number"] {
  const number = text.slice(0, 8);
  if (!/^[A-Z0-9]{8}$/.test(number))
    throw new RecordError(`is not a company number: ${number}`, "company_number");
  return number;
}

function requireNumber(number: string, field: string): string {
  if (!/^\d{12}$/.test(number)) throw new RecordError("is not twelve digits", field);
  return number;
}
