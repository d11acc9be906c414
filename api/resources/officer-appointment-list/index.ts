/** Owns a person's appointments over all companies: GET /officers/:officer_id/appointments. */
import { enumerationSchema } from "../../core/enumerations.ts";
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { COVERAGE, ETAG, linkSchema } from "../../core/schemas.ts";
import { etagOf } from "../define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import { formatPersonName, presentBirthDate, presentMembers } from "../officer-appointment/index.ts";
import {
  appointmentMemberSchemas,
  nameElementsSchema,
  partialBirthDateSchema,
} from "../officer-appointment/members.ts";
import { appointmentRecord, type Appointment } from "../officer-appointment/record.ts";
import { standingOf, type Standings } from "./companies.ts";
import { likelyDisqualificationsSchema } from "./likely-disqualifications.ts";
import { fetchAppointmentList, type AppointmentListRead } from "./read.ts";
import example from "./example.json" with { type: "json" };

const COUNT = { type: "integer", minimum: 0 };
const NAME = { type: "string", minLength: 1 };

const itemSchema = {
  title: "officer-appointment",
  description: "One appointment in the list of all that an officer has.",
  type: "object",
  additionalProperties: false,
  required: ["appointed_to", "name", "officer_role", "links"],
  properties: {
    ...appointmentMemberSchemas,
    appointed_to: {
      title: "appointed-to",
      description: "The company that an officer is appointed to.",
      type: "object",
      additionalProperties: false,
      required: ["company_number"],
      properties: {
        company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
        company_name: NAME,
        company_status: enumerationSchema("company_status"),
      },
    },
    name: NAME,
    name_elements: nameElementsSchema,
    links: linkSchema("company", "^/company/[A-Z0-9]{8}$"),
  },
};

const schema = {
  title: "appointment-list",
  description: "A page of all appointments of one officer, to any company.",
  type: "object",
  additionalProperties: false,
  required: [
    "active_count",
    "etag",
    "inactive_count",
    "is_corporate_officer",
    "items",
    "items_per_page",
    "kind",
    "links",
    "name",
    "resigned_count",
    "start_index",
    "total_results",
  ],
  properties: {
    name: NAME,
    is_corporate_officer: { type: "boolean" },
    date_of_birth: partialBirthDateSchema,
    etag: { ...ETAG, description: "Version of the appointment that the name and the birth date come from." },
    kind: { const: "personal-appointment" },
    links: linkSchema("self", "^/officers/[A-Za-z0-9_-]+/appointments$"),
    items_per_page: { type: "integer", minimum: 1 },
    start_index: COUNT,
    total_results: COUNT,
    active_count: { ...COUNT, description: "Appointments that the officer holds." },
    inactive_count: {
      ...COUNT,
      description: "Appointments not resigned, to companies that are dissolved, closed or converted.",
    },
    resigned_count: { ...COUNT, description: "Appointments from which the officer has resigned." },
    likely_disqualifications: likelyDisqualificationsSchema,
    items: { type: "array", items: itemSchema },
    coverage: COVERAGE,
  },
};

export const version1: ResourceVersion<AppointmentListRead> = {
  version: 1,
  schema,
  present: ({ officerId, head, appointments, standings, counts, ...read }) => ({
    name: formatPersonName(head.data),
    is_corporate_officer: head.data.officer_role.startsWith("corporate"),
    ...presentBirthDate(head.data),
    etag: etagOf(head),
    kind: "personal-appointment",
    links: { self: `/officers/${officerId}/appointments` },
    items_per_page: read.itemsPerPage,
    start_index: read.startIndex,
    total_results: counts.total,
    active_count: counts.active,
    inactive_count: counts.inactive,
    resigned_count: counts.resigned,
    ...(read.likelyDisqualifications.length > 0 && {
      likely_disqualifications: read.likelyDisqualifications,
    }),
    items: appointments.map(({ data }) => presentItem(data, standings)),
  }),
};

function presentItem(appointment: Appointment, standings: Standings): Record<string, unknown> {
  const { company_number, name_elements } = appointment;
  return {
    ...presentMembers(appointment),
    appointed_to: { company_number, ...standingOf(appointment, standings) },
    name: formatPersonName(appointment),
    ...(name_elements ? { name_elements } : {}),
    links: { company: `/company/${company_number}` },
  };
}

export const officerAppointmentList = defineResource({
  name: "officer-appointment-list",
  aliases: ["appointment-list"],
  path: "/officers/:officer_id/appointments",
  scope: "officers.read",
  summary: "All appointments of an officer, serving ones first.",
  record: appointmentRecord,
  parameters: {
    items_per_page: itemsPerPage({ default: 35, maximum: 50 }),
    start_index: startIndex(),
    filter: {
      kind: "choice",
      description: "`active` leaves out resigned appointments and those in companies that have ended.",
      values: ["active"],
    },
  },
  notFound: "officer-appointments-not-found",
  read: (records, { officer_id = "" }, query) => fetchAppointmentList(records, officer_id, query),
  // A person without appointments is a 404.
  hasRecords: () => true,
  etag: ({ head }) => etagOf(head),
  versions: [version1],
  example,
});
