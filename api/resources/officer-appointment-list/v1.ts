/** Owns version 1 of a person's appointments. */
import { COVERAGE, ETAG } from "../../core/schemas.ts";
import { etagOf } from "../define-record.ts";
import { enumerationKeys } from "../../core/enumerations.ts";
import type { ResourceVersion } from "../define-resource.ts";
import {
  appointmentMemberSchemas,
  nameElementsSchema,
  partialBirthDateSchema,
} from "../officer-appointment/members.ts";
import { formatPersonName } from "../officer-appointment/names.ts";
import type { Appointment } from "../officer-appointment/record.ts";
import { presentBirthDate, presentMembers } from "../officer-appointment/v1.ts";
import { standingOf, type Standings } from "./companies.ts";
import { likelyDisqualificationsSchema } from "./likely-disqualifications.ts";
import type { AppointmentListRead } from "./read.ts";

const COUNT = { type: "integer", minimum: 0 };
const NAME = { type: "string", minLength: 1 };

const itemSchema = {
  type: "object",
  additionalProperties: false,
  required: ["appointed_to", "name", "officer_role", "links"],
  properties: {
    ...appointmentMemberSchemas,
    appointed_to: {
      type: "object",
      additionalProperties: false,
      required: ["company_number"],
      properties: {
        company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
        company_name: NAME,
        company_status: { enum: enumerationKeys("company_status") },
      },
    },
    name: NAME,
    name_elements: nameElementsSchema,
    links: linkSchema("company", "^/company/[A-Z0-9]{8}$"),
  },
};

const schema = {
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
    etag: ETAG,
    kind: { const: "personal-appointment" },
    links: linkSchema("self", "^/officers/[A-Za-z0-9_-]+/appointments$"),
    items_per_page: { type: "integer", minimum: 1 },
    start_index: COUNT,
    total_results: COUNT,
    active_count: COUNT,
    inactive_count: COUNT,
    resigned_count: COUNT,
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

function linkSchema(name: string, pattern: string): Record<string, unknown> {
  const properties = { [name]: { type: "string", pattern } };
  return { type: "object", additionalProperties: false, required: [name], properties };
}
