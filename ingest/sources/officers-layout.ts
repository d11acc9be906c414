/** The layout of the officers files (positions, texts and codes), and the mapping of their lines. */
import { lineReader } from "../readers/fixed-width.ts";
import { RecordError } from "../../api/shared/runtime/errors.ts";
import {
  normaliseAppointment,
  type RawCompany,
  type RawOfficer,
} from "../../api/resources/officer-appointment/from-bulk.ts";
import type { Appointment } from "../../api/resources/officer-appointment/record.ts";
import type { RawRow } from "../readers/read-rows.ts";
import { LASTING, PATCH } from "../statements/statement.ts";
import { toOutcome, type Mapped, type Outcome } from "./define-source.ts";
import { ADDRESS_TEXTS, frameOf, NAME_TEXTS, type Frame } from "./frame.ts";

/** Names of merge rules. A line of the daily update has the whole appointment. */
export const OFFICERS_RULES = "officers-snapshot";
export const UPDATE_RULES = "officers-update";
/** The rules of corrections, in records that an earlier release stored. */
export const CORRECTION_RULES = "officers-correction";
/** Names of the merge rules whose statements both files replace. */
export const REPLACED = [OFFICERS_RULES, UPDATE_RULES, CORRECTION_RULES, PATCH, LASTING];
/** Members of the company line, which events and API-shaped rows of officers do not have. */
export const COMPANY_MEMBERS = ["company_name", "company_status"] as const;
/** Members that events and API-shaped rows do not state, or not in full: their names lack some titles. */
export const LASTING_MEMBERS = [...COMPANY_MEMBERS, "name_elements"] as const;

const FIELDS = [
  ["company_number", 1, 8],
  ["date_origin", 10, 1],
  ["appointment_type", 11, 2],
  ["person_number", 13, 12],
  ["corporate", 25, 1],
  ["appointment_date", 33, 8],
  ["resignation_date", 41, 8],
  ["postcode", 49, 8],
] as const;

const TEXTS = [
  ...NAME_TEXTS,
  "care_of",
  "po_box",
  ...ADDRESS_TEXTS,
  "occupation",
  "nationality",
  "country_of_residence",
] as const;

// Since 2015 a line has birth month, full birth date if known, and text length; before, only the full date and length.
const readCurrentLine = lineReader([...FIELDS, ["birth_month", 57, 8], ["birth_date", 65, 8]], 73, TEXTS);
const readLegacyLine = lineReader([...FIELDS, ["birth_month", 57, 0], ["birth_date", 57, 8]], 65, TEXTS);

/** Reads either layout; no line has a valid length field in both. Throws RecordError. */
export function readPersonLine(line: string) {
  try {
    return readCurrentLine(line);
  } catch (error) {
    try {
      return readLegacyLine(line);
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
// After the snapshot's texts come thirteen that are always empty.
const UNUSED = Array.from({ length: 13 }, (_, at) => `unused_${at + 1}` as const);

/** Reads a person line of a daily update, with the old and new state. Throws RecordError. */
export const readUpdateLine = lineReader(UPDATE_FIELDS, 108, [...TEXTS, ...UNUSED]);

export type OfficerLine = RawOfficer & Record<"corporate" | "date_origin", string>;

// The name is padded; only the length field shows where it ends.
const readCompanyFields = lineReader([["status", 10, 1]], 37, ["name"]);
const COMPANY_STATUS: Record<string, string> = {
  C: "converted-closed",
  D: "dissolved",
  L: "liquidation",
  R: "receivership",
  "": "active",
};

/** Throws RecordError for a line with neither a name nor a known status. */
function readCompanyLine(line: string, warnings: string[]): RawCompany {
  const { status, name: company_name } = readCompanyFields(line);
  const company_status = COMPANY_STATUS[status];
  if (company_status) return { company_name, company_status };
  if (!company_name) throw new RecordError(`is not known: ${status}`, "company_status");
  warnings.push(`company_status left out: "${status}" is not known`);
  return { company_name };
}

/** The plain role, and whether the appointment is over. */
export type AppointmentType = { role: string; isResigned: boolean };

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

export const APPOINTMENT_TYPES = new Map<string, AppointmentType>(
  ROLES.flatMap(([current, resigned, role]) => [
    [current, { role, isResigned: false }],
    [resigned, { role, isResigned: true }],
  ]),
);

// Courts or authorities appoint these: the API has no corporate form of them.
const PERSONAL_ROLES = ["judicial-factor", "receiver-and-manager", "cic-manager"];
const NOMINEE_ROLES = ["secretary", "director"];

/** Throws RecordError, naming the field, for an unknown type. */
export function readAppointmentType(type: string, field = "appointment_type"): AppointmentType {
  const found = APPOINTMENT_TYPES.get(type);
  if (!found) throw new RecordError(`is not known: ${type || "(blank)"}`, field);
  return found;
}

export function readAppointment(
  line: OfficerLine,
  { role, isResigned: is_resigned }: AppointmentType,
  company: RawCompany | null,
  warnings: string[],
): Appointment {
  const is_corporate = line.corporate === "Y";
  const isNominee = line.person_number.startsWith("9") && NOMINEE_ROLES.includes(role);
  const isBody = is_corporate && !PERSONAL_ROLES.includes(role);
  const officer_role = `${isBody ? "corporate-" : ""}${isNominee ? "nominee-" : ""}${role}`;
  const meaning = { officer_role, is_corporate, is_resigned, is_dated_by_return: line.date_origin === "2" };
  const { appointment, warnings: dropped } = normaliseAppointment(line, meaning, company);
  warnings.push(...dropped);
  return appointment;
}

/** How the lines of an officers file are mapped. `company`: from the company line above. */
interface CompanyMapping {
  isTrailer: (text: string) => boolean;
  ofCompany: (row: RawRow, company: RawCompany, warnings: string[]) => Mapped;
  ofPerson: (row: RawRow, company: RawCompany | null, warnings: string[]) => Mapped;
}

/** Maps the rows of one company. */
export function mapCompany(rows: readonly RawRow[], how: CompanyMapping): Outcome[] {
  let company: RawCompany | null = null;
  return rows.map((row) =>
    toOutcome(row, (warnings) => {
      const type = row.text.charAt(8);
      if (how.isTrailer(row.text)) return { kind: "skipped" };
      if (type === "2") return how.ofPerson(row, company, warnings);
      if (type !== "1") throw new RecordError(`is not known: ${type || "(blank)"}`, "record_type");
      company = readCompanyLine(row.text, warnings);
      return how.ofCompany(row, company, warnings);
    }),
  );
}

export function officersFrame(header: string, other: Frame["other"]) {
  return frameOf({ header, trailer: "99999999", keyOf: (text) => text.slice(0, 8), other });
}
