/** Owns the reads behind a person's notifications: the page, the counts over all of them, their companies. */
import type { Page, RecordReader } from "../define-resource.ts";
import { fetchStandings, hasEnded, type Standings } from "../officer-appointment-list/companies.ts";
import { pscRecord, type StoredPsc } from "../person-with-significant-control/record.ts";
import { fetchSelected } from "../select-page.ts";

/** The query of the list, checked. */
export interface NotificationListQuery {
  items_per_page: number;
  start_index: number;
  filter: string | undefined;
}

/** Over all notifications of the person; `inactive` are un-ceased ones of companies that have ended. */
export interface NotificationCounts {
  total: number;
  active: number;
  inactive: number;
  ceased: number;
}

export interface NotificationListRead {
  pscId: string;
  /** The notification that gives the list its name and birth date. */
  head: StoredPsc;
  notifications: StoredPsc[];
  standings: Standings;
  counts: NotificationCounts;
  itemsPerPage: number;
  startIndex: number;
}

const SORT: Page["sort"] = [
  ["is_ceased", 1],
  ["list_order", 1],
];

/** What the reads of one request share. */
interface Person {
  records: RecordReader;
  pscId: string;
  /** Companies of all un-ceased notifications. */
  standings: Standings;
  counts: NotificationCounts;
}

/** The notifications of a person, or null when there are none. */
export async function fetchNotificationList(
  records: RecordReader,
  pscId: string,
  query: NotificationListQuery,
): Promise<NotificationListRead | null> {
  // The super-secure have no id and occur in no list.
  if (pscId === "") return null;
  const { items_per_page: itemsPerPage, start_index: startIndex } = query;
  const [head] = await fetchAll(records, { psc_id: pscId }, 0, 1);
  if (!head) return null;
  const person = await fetchPerson(records, pscId);
  const isFiltered = query.filter === "active";
  const notifications = isFiltered
    ? await fetchActive(person, startIndex, itemsPerPage)
    : await fetchAll(records, { psc_id: pscId }, startIndex, itemsPerPage);
  const shown = notifications.map((item) => item.company_number);
  const standings = await fetchStandings(records, shown);
  const { active } = person.counts;
  const counts = isFiltered ? { total: active, active, inactive: 0, ceased: 0 } : person.counts;
  return { pscId, head, notifications, standings, counts, itemsPerPage, startIndex };
}

/** Counts, which need the status of each company of an un-ceased notification. */
async function fetchPerson(records: RecordReader, pscId: string): Promise<Person> {
  const filter = { psc_id: pscId };
  const [ceased, numbers] = await Promise.all([
    records.count(pscRecord, { ...filter, is_ceased: true }),
    records.fetchKeys(pscRecord, { ...filter, is_ceased: false }, "company_number"),
  ]);
  const standings = await fetchStandings(records, numbers);
  const inactive = numbers.filter((number) => isEnded(standings, number)).length;
  const counts = { total: ceased + numbers.length, ceased, inactive, active: numbers.length - inactive };
  return { records, pscId, standings, counts };
}

function fetchAll(
  records: RecordReader,
  filter: Page["filter"],
  skip: number,
  limit: number,
): Promise<StoredPsc[]> {
  return records.fetchPage(pscRecord, { filter, sort: SORT, skip, limit });
}

/** A page of active notifications. Whether one is active is in its company's record, so un-ceased ones are read in order. */
async function fetchActive(person: Person, skip: number, limit: number): Promise<StoredPsc[]> {
  const { records, pscId, counts, standings } = person;
  const fetch = (...page: [skip: number, limit: number]) =>
    fetchAll(records, { psc_id: pscId, is_ceased: false }, ...page);
  if (counts.inactive === 0) return fetch(skip, limit);
  const select = (unceased: StoredPsc[]) =>
    unceased.filter((item) => !isEnded(standings, item.company_number));
  return fetchSelected({ fetch, select, skip, limit });
}

function isEnded(standings: Standings, companyNumber: string): boolean {
  return hasEnded(standings.get(companyNumber) ?? {});
}
