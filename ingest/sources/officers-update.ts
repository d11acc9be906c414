/**
 * Owns the officers' daily update, Prod198.
 *
 * Publisher: the registrar, every working day; some tens of thousands of lines. Text, LF, UTF-8; positions count characters.
 * A person line says what an appointment was held as (old type, old person number) and what it is now; bulk formats 3.7 has the
 * table of what becomes of it. Corrections of nominees stand under a blank company.
 *
 * Order: within a company by new type, highest first, whatever the file's order, so that what was deleted and entered again
 * the same day is there in the end. Batches of a file are written one after the other, files by ascending run. A record
 * remembers the run and line up to which it has been told, an identity that was deleted or moved that it is gone: a file or a
 * batch that comes again changes nothing. A mended line (`--mends`) stands at the place of the refused one.
 *
 * Oddities, and what is done:
 * - A line whose appointment should be held and is not: stored as it tells, with a warning; if it was to be deleted, the
 *   warning alone. What it was held as is withdrawn, so that a snapshot of a day before does not bring it.
 * - An appointment is found also where the day of the line differs from what is held.
 * - A company line, also one alone, tells of all appointments of the company that are held; its number of officers is not
 *   compared, since resigned ones may not have been loaded.
 * - Ids of the API are kept when an appointment moves; a merge takes over that of the new person where it is known.
 * - Refused beside what a snapshot refuses: numbers that are not twelve digits and a blank company that is no nominee's.
 *
 * Limit: what a line tells of all appointments of a person (nominees apart) or a company does not reach those that an older
 * snapshot brings later, and an appointment whose day was corrected comes with its former day as another one. Both loads say so.
 *
 * Limit: run numbers have four digits; what follows 9999 needs a new snapshot on an empty register.
 */
import { parseDate } from "../../api/core/dates.ts";
import { RecordError } from "../../api/core/errors.ts";
import { readAppointedOn, type RawCompany } from "../../api/resources/officer-appointment/normalise.ts";
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import { hiddenMembersOf } from "../../api/resources/officer-appointment/members.ts";
import { appointmentRecord, type Appointment } from "../../api/resources/officer-appointment/record.ts";
import { cutGroups } from "../readers/read-rows.ts";
import type { HeldChange } from "../statements/held-memory.ts";
import { PATCH } from "../statements/statement.ts";
import { defineSource, type Outcome, type RawRow } from "./define-source.ts";
import {
  mapCompany,
  OFFICERS_TELLING,
  officersFrame,
  readAppointment,
  readAppointmentType,
  readUpdateLine,
  UPDATE_TELLING,
  type AppointmentType,
  type OfficerLine,
} from "./officers-layout.ts";
import { updateSeries } from "./officers-runs.ts";
import { changeAppointment, changeCompany, TELLING } from "./officers-update-rules.ts";

/** What a line tells of one appointment. */
export interface UpdateRow {
  /** In the series of updates, by run and line. */
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
  /** These members of what is told go for every appointment of the number, whatever its role. */
  person?: { told: Partial<Appointment>; members: readonly string[] };
}

const ERRORED = "99";
const NAMES_AND_BIRTH = ["name", "name_elements", "date_of_birth"] as const;
const OF_CHANGES = ["nationality", "country_of_residence"] as const;
// Of whom everything is shown.
const DIRECTOR: AppointmentType = { role: "director", isResigned: false };
// A file has fewer lines: its trailer counts them in eight digits.
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
  tellings: {
    [UPDATE_TELLING]: { rules: TELLING, outdates: [OFFICERS_TELLING, UPDATE_TELLING, PATCH] },
  },
  mapRows: (rows, { run }) =>
    cutGroups(rows, framed.groupKey).flatMap((group) => mapGroup(group, Number(run))),
});

/** Lines of a company in the order in which they apply; they share the group's line numbers as their places. */
function mapGroup(rows: RawRow[], run: number): Outcome[] {
  const ordered = rows.toSorted(byOrder);
  const places = new Map(ordered.map((row, at) => [row, run * PLACES_PER_RUN + (rows[at]?.line ?? 0)]));
  const placeOf = (row: RawRow) => places.get(row) ?? 0;
  return mapCompany(ordered, {
    isTrailer,
    ofCompany: (row, company) => toChange(changeCompany(placeOf(row), readCompanyNumber(row.text), company)),
    ofPerson: (row, company, warnings) =>
      row.text.startsWith(" ".repeat(8))
        ? mapNominee(row.text, placeOf(row), warnings)
        : mapPerson(row.text, { place: placeOf(row), company, warnings }),
  });
}

function toChange(change: HeldChange, data?: Appointment) {
  return { kind: "change", record: appointmentRecord, change, ...(data && { data }) } as const;
}

/** The company line, then the highest new type; equal ones as they stand. */
function byOrder(a: RawRow, b: RawRow): number {
  return rankOf(b.text).localeCompare(rankOf(a.text)) || a.line - b.line;
}

function rankOf(text: string): string {
  return text.charAt(8) === "1" ? "company" : text.slice(17, 19);
}

function mapPerson(
  text: string,
  { place, company, warnings }: { place: number; company: RawCompany | null; warnings: string[] },
) {
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
  if (line.new_type === ERRORED) return toChange(changeAppointment({ ...known, kind: "errored" }));
  const newType = readAppointmentType(line.new_type, "new_type");
  const appointment = readAppointment(line, newType, company, warnings);
  const kind = kindOf(line);
  const person = readPerson(line, kind, appointment);
  return toChange(changeAppointment({ ...known, kind, appointment, ...(person && { person }) }), appointment);
}

function kindOf(line: ReturnType<typeof readUpdateLine>): UpdateRow["kind"] {
  if (line.old_person_number !== line.person_number) return "renumbered";
  if (line.correction === "Y") return "corrected";
  return line.old_type === line.new_type ? "changed" : "retyped";
}

/**
 * A change tells of the person what it has filled of two members, a correction everything, blanks included, but for what is
 * never shown of the line's own role. Of nominees, who may hold a hundred thousand, lines without a company tell.
 */
function readPerson(line: OfficerLine, kind: UpdateRow["kind"], { officer_role }: Appointment) {
  if ((kind !== "changed" && kind !== "corrected") || line.person_number.startsWith("9")) return undefined;
  const told = readAppointment(line, DIRECTOR, null, []);
  const hidden: readonly string[] = hiddenMembersOf(officer_role);
  const isBlankTold = (member: string) => kind === "corrected" && !hidden.includes(member);
  const all = kind === "changed" ? OF_CHANGES : [...NAMES_AND_BIRTH, ...OF_CHANGES];
  return { told, members: all.filter((member) => told[member] !== undefined || isBlankTold(member)) };
}

function mapNominee(text: string, place: number, warnings: string[]) {
  const line = readUpdateLine(text);
  const person_number = requireNumber(line.person_number, "person_number");
  if (!person_number.startsWith("9") || line.old_person_number !== person_number) {
    throw new RecordError("is blank, which only the correction of a nominee may be", "company_number");
  }
  const told = readAppointment(line, DIRECTOR, null, warnings);
  const filled = ([...NAMES_AND_BIRTH, "address"] as const).filter((member) => member in told);
  const members = Object.fromEntries(filled.map((member) => [member, told[member]]));
  // It reaches every appointment of the number, whenever it comes.
  return toChange({ place, looksAt: {}, identities: [], correction: { person_number, members } });
}

function readCompanyNumber(text: string): Appointment["company_number"] {
  const number = text.slice(0, 8);
  if (!/^[A-Z0-9]{8}$/.test(number)) throw new RecordError(`is none: ${number}`, "company_number");
  return number;
}

function requireNumber(number: string, field: string): string {
  if (!/^\d{12}$/.test(number)) throw new RecordError("is not twelve digits", field);
  return number;
}
