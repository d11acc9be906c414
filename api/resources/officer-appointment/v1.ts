/** Owns version 1 of one appointment, which is also an item of a company's officer list. */
import { ETAG } from "../../core/schemas.ts";
import { etagOf } from "../define-record.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { appointmentMemberSchemas, partialBirthDateSchema, type AppointmentMembers } from "./members.ts";
import { formatListName } from "./names.ts";
import type { Appointment, StoredAppointment } from "./record.ts";

const COMPANY_LINK = "^/company/[A-Z0-9]{8}";

/** JSON Schema of an officer as a company's list shows it. */
export const officerSummarySchema = {
  title: "officer-summary",
  description: "One appointment of an officer to a company.",
  type: "object",
  additionalProperties: false,
  required: ["name", "officer_role", "etag", "links"],
  properties: {
    ...appointmentMemberSchemas,
    name: { type: "string", minLength: 1 },
    date_of_birth: partialBirthDateSchema,
    person_number: { type: "string" },
    etag: ETAG,
    links: {
      type: "object",
      additionalProperties: false,
      required: ["self", "officer"],
      properties: {
        self: { type: "string", pattern: `${COMPANY_LINK}/appointments/[A-Za-z0-9_-]+$` },
        officer: {
          type: "object",
          additionalProperties: false,
          required: ["appointments"],
          properties: {
            appointments: { type: "string", pattern: "^/officers/[A-Za-z0-9_-]+/appointments$" },
          },
        },
      },
    },
  },
};

const MEMBERS = Object.keys(appointmentMemberSchemas) as (keyof AppointmentMembers)[];

/** The members that every view shows as stored; absent ones stay absent. */
export function presentMembers(appointment: Appointment): Partial<AppointmentMembers> {
  const present = MEMBERS.filter((member) => appointment[member] !== undefined);
  return Object.fromEntries(present.map((member) => [member, appointment[member]]));
}

/** Month and year of birth; a stored day is never shown. */
export function presentBirthDate({ date_of_birth: birth }: Appointment): {
  date_of_birth?: { month: number; year: number };
} {
  return birth ? { date_of_birth: { month: birth.month, year: birth.year } } : {};
}

/** One officer as a company's list shows it. */
export function presentOfficer(stored: StoredAppointment): Record<string, unknown> {
  const { data: appointment } = stored;
  const { company_number: company, appointment_id: id, officer_id: officer, person_number } = appointment;
  return {
    ...presentMembers(appointment),
    name: formatListName(appointment),
    ...presentBirthDate(appointment),
    ...(person_number === undefined ? {} : { person_number }),
    etag: etagOf(stored),
    links: {
      self: `/company/${company}/appointments/${id}`,
      officer: { appointments: `/officers/${officer}/appointments` },
    },
  };
}

export const version1: ResourceVersion<StoredAppointment> = {
  version: 1,
  schema: officerSummarySchema,
  present: presentOfficer,
};
