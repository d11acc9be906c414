/** Owns a person's appointments over all companies: GET /officers/:officer_id/appointments. */
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
import { KEPT_FROM } from "../../shared/stores/collections/officer-counts.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource } from "../define-resource.ts";
import type { Filter, Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { formatPersonName, presentBirthDate, presentMembers } from "../officer-appointment/index.ts";
import {
  appointmentMemberSchemas,
  nameElementsSchema,
  partialBirthDateSchema,
  type Appointment,
} from "../officer-appointment/members.ts";
import { fetchOfficerIds, showOfficer } from "../officer-appointment/persons.ts";
import { appointmentRecord, type StoredAppointment } from "../officer-appointment/record.ts";
import { fetchSelected, fetchWithin } from "../select-page.ts";
import {
  countInactive,
  fetchStandings,
  hasEnded,
  standingOf,
  standingSchema,
  type Standings,
} from "./companies.ts";
import { fetchLikelyDisqualifications, likelyDisqualificationsSchema } from "./likely-disqualifications.ts";
import example from "./example.json" with { type: "json" };

const SORT: Page["sort"] = [
  ["is_resigned", 1],
  ["person_order", 1],
];

// Limit: of an officer with very many appointments only the newest are searched for an active one, which gives the list its name:
// those in companies that have ended may be thousands. Where none of these is active, the newest gives it.
const HEADS = 20;

/**
 * Over all appointments of the person; `inactive` are serving ones in companies that have ended. For an officer with very
 * many appointments their number is stored.
 */
async function countAppointments(records: RecordReader, filter: Filter, shownId: string) {
  const [resigned, serving] = await Promise.all([
    records.count(appointmentRecord, { ...filter, is_resigned: true }),
    records.count(appointmentRecord, { ...filter, is_resigned: false }),
  ]);
  const stored = serving > KEPT_FROM ? await records.fetchInactiveCount(shownId) : null;
  const inactive = serving === 0 ? 0 : (stored ?? (await countInactive(records, filter)));
  const active = Math.max(0, serving - inactive);
  return { total: resigned + serving, active, inactive, resigned, isStored: stored !== null };
}

function fetchAll(records: RecordReader, filter: Filter, skip: number, limit: number) {
  return records.fetchPage(appointmentRecord, { filter, sort: SORT, skip, limit });
}

function fetchServing(records: RecordReader, filter: Filter, skip: number, limit: number) {
  return fetchAll(records, { ...filter, is_resigned: false }, skip, limit);
}

/** A page of active appointments. Whether one is active is in its company's record, so serving ones are read in order. */
async function fetchActive(
  records: RecordReader,
  filter: Filter,
  slice: { skip: number; limit: number; enough: number },
): Promise<StoredAppointment[]> {
  const fetch = (from: number, most: number) => fetchServing(records, filter, from, most);
  return fetchSelected({ fetch, select: (serving) => selectActive(records, serving), ...slice });
}

async function selectActive(records: RecordReader, serving: StoredAppointment[]) {
  const standings = await fetchStandings(records, serving.map(numberOf));
  return serving.filter(({ data }) => !hasEnded(standingOf(data, standings)));
}

function numberOf({ company_number }: StoredAppointment): string {
  return company_number;
}

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
    const ids = await fetchOfficerIds(records, officer_id);
    const filter = { officer_id: ids.all };
    const counts = await countAppointments(records, filter, ids.shown);
    const { active, inactive } = counts;
    const fetchFiltered = (from: number, most: number, enough: number) =>
      inactive > 0
        ? fetchActive(records, filter, { skip: from, limit: most, enough })
        : fetchServing(records, filter, from, Math.min(most, enough));
    // The appointment that gives the list its name, birth date and ETag: the first active one, else the first at all.
    const isAmongFew = counts.isStored && inactive > 0;
    const fetchFirst = async () =>
      isAmongFew
        ? selectActive(records, await fetchServing(records, filter, 0, HEADS))
        : fetchFiltered(0, 1, 1);
    const [first] = active > 0 ? await fetchFirst() : [];
    const head = first ?? (await fetchAll(records, filter, 0, 1))[0];
    if (!head) return null;
    const isFiltered = query.filter === "active";
    // Behind the last active one the list is not read on. A stored count may be too low, as when a company was restored since: its
    // beginning is read, too.
    const isBehind = active <= skip && !counts.isStored;
    const appointments = !isFiltered
      ? await fetchWithin(counts.total, skip, () => fetchAll(records, filter, skip, limit))
      : isBehind
        ? []
        : await fetchFiltered(skip, limit, active - skip);
    const [standings, likely] = await Promise.all([
      fetchStandings(records, appointments.map(numberOf)),
      fetchLikelyDisqualifications(records, [head, ...appointments]),
    ]);
    return {
      officerId: ids.shown,
      head: showOfficer(head, ids.shown),
      ...{ appointments, standings, likely, limit, skip },
      counts: isFiltered ? { total: active, active, inactive: 0, resigned: 0 } : counts,
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
