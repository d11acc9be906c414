/** Owns the reads behind a person's appointments: the page, the counts over all of them, their companies. */
import { KEPT_FROM } from "../../core/stores/officer-counts.ts";
import type { Filter, Page, RecordReader } from "../define-resource.ts";
import { fetchOfficerIds, showOfficer, type OfficerIds } from "../officer-appointment/persons.ts";
import { appointmentRecord, type StoredAppointment } from "../officer-appointment/record.ts";
import { fetchSelected } from "../select-page.ts";
import { countInactive, fetchStandings, hasEnded, standingOf, type Standings } from "./companies.ts";
import { fetchLikelyDisqualifications, type LikelyDisqualification } from "./likely-disqualifications.ts";

/** The query of the list, checked. */
export interface AppointmentListQuery {
  items_per_page: number;
  start_index: number;
  filter: string | undefined;
}

/** Over all appointments of the person; `inactive` are serving ones in companies that have ended. */
export interface AppointmentCounts {
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
export async function fetchAppointmentList(
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
