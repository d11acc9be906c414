/** Owns a person's appointments over all companies: GET /officers/:officer_id/appointments. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/paging.ts";
import { COVERAGE, ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { KEPT_FROM } from "../../shared/stores/collections/officer-counts.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import type { Filter, Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { formatPersonName, presentBirthDate, presentMembers } from "../officer-appointment/index.ts";
import {
  appointmentMemberSchemas,
  nameElementsSchema,
  partialBirthDateSchema,
} from "../officer-appointment/members.ts";
import { fetchOfficerIds, showOfficer, type OfficerIds } from "../officer-appointment/persons.ts";
import {
  appointmentRecord,
  type Appointment,
  type StoredAppointment,
} from "../officer-appointment/record.ts";
import { fetchSelected } from "../select-page.ts";
import { countInactive, fetchStandings, hasEnded, standingOf, type Standings } from "./companies.ts";
import {
  fetchLikelyDisqualifications,
  likelyDisqualificationsSchema,
  type LikelyDisqualification,
} from "./likely-disqualifications.ts";
import example from "./example.json" with { type: "json" };

/** The query of the list, checked. */
interface AppointmentListQuery {
  items_per_page: number;
  start_index: number;
  filter: string | undefined;
}

/** Over all appointments of the person; `inactive` are serving ones in companies that have ended. */
interface AppointmentCounts {
  total: number;
  active: number;
  inactive: number;
  resigned: number;
}

export interface AppointmentListRead {
  /** The id that is shown. */
  officerId: string;
  /** The appointment that gives the list its name, birth date and ETag. */
  head: StoredAppointment;
  appointments: StoredAppointment[];
  standings: Standings;
  counts: AppointmentCounts;
  likelyDisqualifications: LikelyDisqualification[];
  itemsPerPage: number;
  startIndex: number;
}

const SORT: Page["sort"] = [
  ["is_resigned", 1],
  ["person_order", 1],
];

/** What the reads of one request share. */
interface Person {
  records: RecordReader;
  /** Matches all of the person's appointments. */
  filter: Filter;
  counts: AppointmentCounts;
}

/** The appointments of the person of this id, or null when there are none. */
async function fetchAppointmentList(
  records: RecordReader,
  officerId: string,
  query: AppointmentListQuery,
): Promise<AppointmentListRead | null> {
  const ids = await fetchOfficerIds(records, officerId);
  const person = await fetchPerson(records, ids);
  const isFiltered = query.filter === "active";
  const [head] = await (person.counts.active > 0 ? fetchActive(person, 0, 1) : fetchAll(person, 0, 1));
  if (!head) return null;
  const { items_per_page: itemsPerPage, start_index: startIndex } = query;
  const fetchItems = isFiltered ? fetchActive : fetchAll;
  const appointments = await fetchItems(person, startIndex, itemsPerPage);
  const numbers = appointments.map((item) => item.company_number);
  const [standings, likelyDisqualifications] = await Promise.all([
    fetchStandings(records, numbers),
    fetchLikelyDisqualifications(records, [head, ...appointments]),
  ]);
  const { active } = person.counts;
  const counts = isFiltered ? { total: active, active, inactive: 0, resigned: 0 } : person.counts;
  const page = { itemsPerPage, startIndex };
  const of = { officerId: ids.shown, head: showOfficer(head, ids.shown) };
  return { ...of, appointments, standings, counts, likelyDisqualifications, ...page };
}

/** Counts; for an officer with very many appointments the inactive count is stored. */
async function fetchPerson(records: RecordReader, { shown, all }: OfficerIds): Promise<Person> {
  const filter = { officer_id: all };
  const [resigned, serving] = await Promise.all([
    records.count(appointmentRecord, { ...filter, is_resigned: true }),
    records.count(appointmentRecord, { ...filter, is_resigned: false }),
  ]);
  const stored = serving > KEPT_FROM ? await records.fetchInactiveCount(shown) : null;
  const inactive = serving === 0 ? 0 : (stored ?? (await countInactive(records, filter)));
  const counts = { total: resigned + serving, resigned, inactive, active: Math.max(0, serving - inactive) };
  return { records, filter, counts };
}

function fetchAll({ records, filter }: Person, skip: number, limit: number): Promise<StoredAppointment[]> {
  return records.fetchPage(appointmentRecord, { filter, sort: SORT, skip, limit });
}

/** A page of active appointments. Whether one is active is in its company's record, so serving ones are read in order. */
async function fetchActive(person: Person, skip: number, limit: number): Promise<StoredAppointment[]> {
  if (person.counts.inactive === 0) return fetchServing(person, skip, limit);
  const select = async (serving: StoredAppointment[]) => {
    const numbers = serving.map((item) => item.company_number);
    const standings = await fetchStandings(person.records, numbers);
    return serving.filter(({ data }) => !hasEnded(standingOf(data, standings)));
  };
  return fetchSelected({ fetch: (...page) => fetchServing(person, ...page), select, skip, limit });
}

function fetchServing(person: Person, skip: number, limit: number): Promise<StoredAppointment[]> {
  const serving = { ...person, filter: { ...person.filter, is_resigned: false } };
  return fetchAll(serving, skip, limit);
}

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
