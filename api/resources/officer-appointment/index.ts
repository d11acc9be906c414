/** One appointment: GET /company/:company_number/appointments/:appointment_id, and its form in the officer list. */
import { ETAG, objectOf } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource } from "../define-resource.ts";
import { pickMembers } from "../../shared/values/members.ts";
import { appointmentMemberSchemas, partialBirthDateSchema, type Appointment } from "./members.ts";
import { showOfficers } from "./persons.ts";
import { appointmentRecord, type StoredAppointment } from "./record.ts";
import { isPlainTitle } from "./titles.ts";
import example from "./example.json" with { type: "json" };

/** The name in a company's list: `SURNAME, Forenames`, followed by a title that is not a plain one (`Sir`, `Lord`). */
export function formatListName({ name, name_elements: elements }: Appointment): string {
  if (!elements) return name ?? "";
  const { title, forename, other_forenames, surname } = elements;
  const forenames = [forename, other_forenames].filter(Boolean).join(" ");
  const shownTitle = title && !isPlainTitle(title) ? title : "";
  return [surname.toUpperCase(), forenames, shownTitle].filter(Boolean).join(", ");
}

/** The name in a person's list of appointments: `Forenames SURNAME`. */
export function formatPersonName({ name, name_elements: elements }: Appointment): string {
  if (!elements) return name ?? "";
  const { forename, other_forenames, surname } = elements;
  return [forename, other_forenames, surname.toUpperCase()].filter(Boolean).join(" ");
}

const COMPANY_LINK = "^/company/[A-Z0-9]{8}";

/** JSON Schema of an officer as a company's list shows it. */
export const officerSummarySchema = {
  title: "officer-summary",
  description: "One appointment of an officer to a company.",
  ...objectOf(["name", "officer_role", "etag", "links"], {
    ...appointmentMemberSchemas,
    name: { type: "string", minLength: 1 },
    date_of_birth: partialBirthDateSchema,
    person_number: { type: "string" },
    etag: ETAG,
    links: objectOf(["self", "officer"], {
      self: { type: "string", pattern: `${COMPANY_LINK}/appointments/[A-Za-z0-9_-]+$` },
      officer: objectOf(["appointments"], {
        appointments: { type: "string", pattern: "^/officers/[A-Za-z0-9_-]+/appointments$" },
      }),
    }),
  }),
};

const MEMBERS = Object.keys(appointmentMemberSchemas) as (keyof typeof appointmentMemberSchemas)[];

/** The members that every view shows as stored; absent ones stay absent. */
export function presentMembers(appointment: Appointment) {
  return pickMembers(appointment, MEMBERS);
}

/** Month and year of birth; a stored day is never shown. */
export function presentBirthDate({ date_of_birth: birth }: Appointment) {
  return birth && { date_of_birth: { month: birth.month, year: birth.year } };
}

/** One officer as a company's list shows it. */
export function presentOfficer(stored: StoredAppointment): Record<string, unknown> {
  const { data: appointment } = stored;
  const { company_number: company, appointment_id: id, officer_id: officer, person_number } = appointment;
  return {
    ...presentMembers(appointment),
    name: formatListName(appointment),
    ...presentBirthDate(appointment),
    ...(person_number !== undefined && { person_number }),
    etag: etagOf(stored),
    links: {
      self: `/company/${company}/appointments/${id}`,
      officer: { appointments: `/officers/${officer}/appointments` },
    },
  };
}

export const officerAppointment = defineResource({
  name: "officer-appointment",
  aliases: ["officer-summary"],
  path: "/company/:company_number/appointments/:appointment_id",
  scope: "company.read",
  summary: "One appointment of an officer to a company.",
  record: appointmentRecord,
  notFound: "company-appointment-not-found",
  // The company is part of the filter: another company's appointment is not found here.
  read: async (records, { company_number = "", appointment_id = "" }) => {
    const stored = await records.fetchOne(appointmentRecord, { appointment_id, company_number });
    const [shown = null] = await showOfficers(records, stored ? [stored] : []);
    return shown;
  },
  hasEtag: true,
  schema: officerSummarySchema,
  present: presentOfficer,
  example,
});
