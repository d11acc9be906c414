/** A person's appointments to all companies: GET /officers/:officer_id/appointments. */
import { itemsPerPage, startIndex } from "../../shared/schemas/query-parameters.ts";
import {
  COVERAGE,
  ETAG,
  linkSchema,
  COUNT,
  objectWithOptional,
  FLAG,
  objectOf,
  PAGE,
} from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource } from "../define-resource.ts";
import { formatPersonName, presentBirthDate, presentMembers } from "../officer-appointment/index.ts";
import {
  appointmentMemberSchemas,
  nameElementsSchema,
  partialBirthDateSchema,
  type Appointment,
} from "../officer-appointment/members.ts";
import { fetchOfficerIds, showOfficer } from "../officer-appointment/persons.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { standingOf, standingSchema, type Standings } from "./companies.ts";
import { fetchLikelyDisqualifications, likelyDisqualificationsSchema } from "./likely-disqualifications.ts";
import { fetchActivePage, fetchPage } from "./pages.ts";
import example from "./example.json" with { type: "json" };

const NAME = { type: "string", minLength: 1 };

const itemSchema = {
  title: "officer-appointment",
  description: "One appointment in the list of all that an officer has.",
  ...objectOf(["appointed_to", "name", "officer_role", "links"], {
    ...appointmentMemberSchemas,
    appointed_to: {
      title: "appointed-to",
      description: "The company that an officer is appointed to.",
      ...standingSchema,
    },
    name: NAME,
    name_elements: nameElementsSchema,
    links: linkSchema("company", "^/company/[A-Z0-9]{8}$"),
  }),
};

const schema = {
  title: "appointment-list",
  description: "A page of all appointments of one officer, to any company.",
  ...objectWithOptional(["date_of_birth", "likely_disqualifications", "coverage"], {
    name: NAME,
    is_corporate_officer: FLAG,
    date_of_birth: partialBirthDateSchema,
    etag: { ...ETAG, description: "Version of the appointment that the name and the birth date come from." },
    kind: { const: "personal-appointment" },
    links: linkSchema("self", "^/officers/[A-Za-z0-9_-]+/appointments$"),
    ...PAGE,
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
  }),
};

function presentItem(appointment: Appointment, standings: Standings): Record<string, unknown> {
  const { company_number, name_elements } = appointment;
  return {
    ...presentMembers(appointment),
    appointed_to: { company_number, ...standingOf(appointment, standings) },
    name: formatPersonName(appointment),
    ...(name_elements && { name_elements }),
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
  read: async (records, { officer_id = "" }, { items_per_page: limit, start_index: skip, ...query }) => {
    const { all, shown: shownId } = await fetchOfficerIds(records, officer_id);
    const filter = { officer_id: all };
    const fetch = query.filter === "active" ? fetchActivePage : fetchPage;
    const {
      items: appointments,
      standings,
      counts,
      head,
    } = await fetch(records, { filter, shownId, skip, limit });
    if (!head) return null;
    const likely = await fetchLikelyDisqualifications(records, [head, ...appointments]);
    return {
      officerId: shownId,
      head: showOfficer(head, shownId),
      ...{ appointments, standings, likely, limit, skip, counts },
    };
  },
  // A person without appointments is a 404.
  hasRecords: () => true,
  hasEtag: true,
  schema,
  present: ({ officerId, head, appointments, standings, likely, counts, limit, skip }) => ({
    name: formatPersonName(head.data),
    is_corporate_officer: head.data.officer_role.startsWith("corporate"),
    ...presentBirthDate(head.data),
    etag: etagOf(head),
    kind: "personal-appointment",
    links: { self: `/officers/${officerId}/appointments` },
    items_per_page: limit,
    start_index: skip,
    total_results: counts.total,
    active_count: counts.active,
    inactive_count: counts.inactive,
    resigned_count: counts.resigned,
    ...(likely.length > 0 && { likely_disqualifications: likely }),
    items: appointments.map(({ data }) => presentItem(data, standings)),
  }),
  example,
});
