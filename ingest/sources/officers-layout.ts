/** Owns the layout of the officers files: positions, texts and the meaning of their codes. */
import { readFields, readParts, readText } from "../readers/fixed-width.ts";
import { RecordError } from "../../api/core/errors.ts";
import { normaliseAppointment, type RawCompany } from "../../api/resources/officer-appointment/normalise.ts";
import type { Appointment } from "../../api/resources/officer-appointment/record.ts";
import { toOutcome, type Mapped, type Outcome, type RawRow } from "./define-source.ts";
import { frameOf } from "./frame.ts";

/** Name of the telling by which lines of the snapshot are merged with what is held. */
export const OFFICERS_TELLING = "officers-snapshot";
/** Name of the telling of a line of the daily update, which has all of an appointment, blanks included. */
export const UPDATE_TELLING = "officers-update";

const COMMON_FIELDS = [
  ["company_number", 1, 8],
  ["date_origin", 10, 1],
  ["appointment_type", 11, 2],
  ["person_number", 13, 12],
  ["corporate", 25, 1],
  ["appointment_date", 33, 8],
  ["resignation_date", 41, 8],
  ["postcode", 49, 8],
] as const;

// Since 2015: month of birth, then the full date where it is known, then the length of the text.
const FIELDS = [...COMMON_FIELDS, ["birth_month", 57, 8], ["birth_date", 65, 8]] as const;
const LENGTH_START = 73;
// Before 2015: the full date alone.
const LEGACY_FIELDS = [...COMMON_FIELDS, ["birth_month", 57, 0], ["birth_date", 57, 8]] as const;
const LEGACY_LENGTH_START = 65;

const TEXTS = [
  "title",
  "forenames",
  "surname",
  "honours",
  "care_of",
  "po_box",
  "address_line_1",
  "address_line_2",
  "post_town",
  "county",
  "country",
  "occupation",
  "nationality",
  "country_of_residence",
] as const;

type PersonLine = Record<(typeof FIELDS)[number][0] | (typeof TEXTS)[number], string>;

// Objects of one shape, made by copying: filling an empty one member by member makes a load a fifth slower.
const EMPTY_LINE = Object.fromEntries(
  [...FIELDS.map(([name]) => name), ...TEXTS].map((name) => [name, ""]),
) as PersonLine;

/** Reads a person line of either layout. Throws RecordError when neither fits. */
export function readPersonLine(line: string): PersonLine {
  const person = { ...EMPTY_LINE };
  const { isLegacy, text } = findText(line);
  readFields(isLegacy ? LEGACY_FIELDS : FIELDS, line, person);
  readParts(TEXTS, text, person);
  return person;
}

/** The old layout has digits where the new one has a birth date and text where it has the length. */
function findText(line: string): { isLegacy: boolean; text: string } {
  try {
    return { isLegacy: false, text: readText(line, LENGTH_START) };
  } catch (error) {
    try {
      return { isLegacy: true, text: readText(line, LEGACY_LENGTH_START) };
    } catch {
      throw error;
    }
  }
}

const UPDATE_FIELDS = [
  ["company_number", 1, 8],
  ["date_origin", 10, 1],
  ["correction", 12, 1],
  ["corporate", 13, 1],
  ["old_type", 16, 2],
  ["new_type", 18, 2],
  ["old_person_number", 20, 12],
  ["person_number", 32, 12],
  ["birth_month", 44, 8],
  ["birth_date", 52, 8],
  ["postcode", 68, 8],
  ["appointment_date", 76, 8],
  ["resignation_date", 84, 8],
] as const;

// The texts of a snapshot, and thirteen more that are always empty.
const UPDATE_TEXTS = [...TEXTS, ...Array.from({ length: 13 }, (_, at) => `unused_${at + 1}` as const)];

/** A person line of a daily update: what the person was held as, and what they are now. */
export type UpdateLine = Record<(typeof UPDATE_FIELDS)[number][0] | (typeof TEXTS)[number], string>;

/** Reads a person line of a daily update. Throws RecordError. */
export function readUpdateLine(line: string): UpdateLine {
  const texts = readParts(UPDATE_TEXTS, readText(line, 108));
  return { ...texts, ...readFields(UPDATE_FIELDS, line) };
}

const COMPANY_STATUS: Record<string, string> = {
  C: "converted-closed",
  D: "dissolved",
  L: "liquidation",
  R: "receivership",
  "": "active",
};

/** Reads a company line; it is padded, so that the length field alone says where the name ends. */
function readCompanyLine(line: string): RawCompany {
  const { status } = readFields([["status", 10, 1]], line);
  const company_status = COMPANY_STATUS[status];
  if (!company_status) throw new RecordError(`is not known: ${status}`, "company_status");
  const { name } = readParts(["name"], readText(line, 37));
  return { company_name: name, company_status };
}

export interface AppointmentType {
  role: string;
  isResigned: boolean;
}

const ROLES: [current: string, resigned: string, role: string][] = [
  ["00", "02", "secretary"],
  ["01", "03", "director"],
  ["04", "06", "llp-member"],
  ["05", "07", "llp-designated-member"],
  ["11", "14", "judicial-factor"],
  ["12", "15", "receiver-and-manager"],
  ["13", "16", "cic-manager"],
  ["17", "20", "member-of-an-administrative-organ"],
  ["18", "21", "member-of-a-supervisory-organ"],
  ["19", "22", "member-of-a-management-organ"],
];

/** By the type as it stands in a line. */
export const APPOINTMENT_TYPES = new Map<string, AppointmentType>(
  ROLES.flatMap(([current, resigned, role]) => [
    [current, { role, isResigned: false }],
    [resigned, { role, isResigned: true }],
  ]),
);

// Appointments that only a court or an authority makes: the API has no corporate form of these.
const PERSONAL_ROLES = new Set(["judicial-factor", "receiver-and-manager", "cic-manager"]);
const NOMINEE_ROLES = new Set(["secretary", "director"]);

/** True for a role of the API for which the files have a type; of other appointments their silence says nothing. */
export function hasType(officerRole: string): boolean {
  return ROLES.some(([, , role]) => role === plainRoleOf(officerRole));
}

/** The meaning of an appointment type. Throws RecordError, naming the field, for a type that is not in the table. */
export function readAppointmentType(type: string, field = "appointment_type"): AppointmentType {
  const found = APPOINTMENT_TYPES.get(type);
  if (!found) throw new RecordError(`is not known: ${type || "(blank)"}`, field);
  return found;
}

/** The word of the types' table for a role of the API: without its personal, corporate or nominee form. */
export function plainRoleOf(officerRole: string): string {
  return officerRole.replace(/^corporate-/, "").replace(/^nominee-/, "");
}

/** The appointment that a line tells, by the meaning of its type. Throws RecordError. */
export function readAppointment(
  line: PersonLine | UpdateLine,
  { role, isResigned: is_resigned }: AppointmentType,
  company: RawCompany | null,
  warnings: string[],
): Appointment {
  const is_corporate = line.corporate === "Y";
  const officer_role = officerRoleOf(role, line.person_number, is_corporate);
  const meaning = { officer_role, is_corporate, is_resigned, is_dated_by_return: line.date_origin === "2" };
  const { appointment, warnings: dropped } = normaliseAppointment(line, meaning, company);
  warnings.push(...dropped);
  return appointment;
}

/** The API's role: nominees are known by a person number that begins with 9, bodies by their mark. */
function officerRoleOf(role: string, personNumber: string, isCorporate: boolean): string {
  const isNominee = personNumber.startsWith("9") && NOMINEE_ROLES.has(role);
  const nominal = isNominee ? `nominee-${role}` : role;
  return isCorporate && !PERSONAL_ROLES.has(role) ? `corporate-${nominal}` : nominal;
}

/** What lines of an officers file come to; the company is that of the line before the persons. */
interface CompanyMapping {
  isTrailer: (text: string) => boolean;
  ofCompany: (row: RawRow, company: RawCompany, warnings: string[]) => Mapped;
  ofPerson: (row: RawRow, company: RawCompany | null, warnings: string[]) => Mapped;
}

/** Rows of one company to outcomes. Of rows that stand here for others the company's is read. */
export function mapCompany(rows: readonly RawRow[], how: CompanyMapping): Outcome[] {
  let company: RawCompany | null = null;
  return rows.map((row) =>
    toOutcome(row, (warnings) => {
      const type = row.text.charAt(8);
      if (how.isTrailer(row.text) || (row.isContext && type !== "1")) return { kind: "skipped" };
      if (type === "2") return how.ofPerson(row, company, warnings);
      if (type !== "1") throw new RecordError(`is not known: ${type || "(blank)"}`, "record_type");
      company = readCompanyLine(row.text);
      return how.ofCompany(row, company, warnings);
    }),
  );
}

/** The frame of an officers file, which keeps the lines of one company together. */
export function officersFrame(header: string, others: Record<string, (found: string) => string>) {
  return frameOf({ header, trailer: "99999999", keyOf: (text) => text.slice(0, 8), others });
}
