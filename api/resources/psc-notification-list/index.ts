/** Owns a person's notifications over all companies: GET /persons-with-significant-control/:psc_id/notifications. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/paging.ts";
import { COVERAGE, ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import type { Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { fetchStandings, hasEnded, type Standings } from "../officer-appointment-list/companies.ts";
import { pscKinds } from "../person-with-significant-control/kinds.ts";
import { birthMonthSchema, pscMemberSchemas } from "../person-with-significant-control/members.ts";
import { presentMembers } from "../person-with-significant-control/present.ts";
import { pscRecord, type StoredPsc } from "../person-with-significant-control/record.ts";
import { fetchSelected } from "../select-page.ts";
import example from "./example.json" with { type: "json" };

/** The query of the list, checked. */
interface NotificationListQuery {
  items_per_page: number;
  start_index: number;
  filter: string | undefined;
}

/** Over all notifications of the person; `inactive` are un-ceased ones of companies that have ended. */
interface NotificationCounts {
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
async function fetchNotificationList(
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

const COUNT = { type: "integer", minimum: 0 };
const NAME = { type: "string", minLength: 1 };

// The head of the list has the birth date; the other two belong to the super-secure, who occur in no such list.
const ELSEWHERE = ["date_of_birth", "description", "ceased"];

const itemSchema = {
  title: "psc-notification",
  description: "One company that a person or body was notified to control, and how.",
  type: "object",
  additionalProperties: false,
  required: ["etag", "kind", "links", "name", "notified_to"],
  properties: {
    ...omitElsewhere(pscMemberSchemas),
    etag: ETAG,
    kind: {
      description: "Kind of the person or body, and of its control.",
      enum: pscKinds.filter(({ subject }) => subject !== "super-secure").map(({ kind }) => kind),
    },
    notified_to: {
      title: "notified-to",
      description: "The company that a person or body was notified to control.",
      type: "object",
      additionalProperties: false,
      required: ["company_number"],
      properties: {
        company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
        company_name: NAME,
        company_status: enumerationSchema("company_status"),
      },
    },
    links: linkSchema("company", "^/company/[A-Z0-9]{8}$"),
  },
};

const schema = {
  title: "notification-list",
  description: "A page of the companies that one person or body was notified to control.",
  type: "object",
  additionalProperties: false,
  required: [
    "active_count",
    "ceased_count",
    "inactive_count",
    "items",
    "items_per_page",
    "kind",
    "links",
    "name",
    "start_index",
    "total_results",
  ],
  properties: {
    name: NAME,
    date_of_birth: birthMonthSchema,
    kind: { const: "personal-notification" },
    links: linkSchema("self", "^/persons-with-significant-control/[A-Za-z0-9_-]{27}/notifications$"),
    active_count: { ...COUNT, description: "Notifications of control that has not ceased." },
    ceased_count: { ...COUNT, description: "Notifications of control that has ceased." },
    inactive_count: {
      ...COUNT,
      description:
        "Notifications that have not ceased, of companies that are dissolved, closed or converted.",
    },
    total_results: COUNT,
    items_per_page: { type: "integer", minimum: 1 },
    start_index: COUNT,
    items: { type: "array", items: itemSchema },
    coverage: COVERAGE,
  },
};

export const version1: ResourceVersion<NotificationListRead> = {
  version: 1,
  schema,
  present: ({ pscId, head, notifications, standings, counts, itemsPerPage, startIndex }) => ({
    name: head.data.name ?? "",
    ...(head.data.date_of_birth ? { date_of_birth: head.data.date_of_birth } : {}),
    kind: "personal-notification",
    links: { self: `/persons-with-significant-control/${pscId}/notifications` },
    active_count: counts.active,
    ceased_count: counts.ceased,
    inactive_count: counts.inactive,
    total_results: counts.total,
    items_per_page: itemsPerPage,
    start_index: startIndex,
    items: notifications.map((notification) => presentItem(notification, standings)),
  }),
};

function presentItem(notification: StoredPsc, standings: Standings): Record<string, unknown> {
  const { company_number, kind } = notification.data;
  return {
    etag: etagOf(notification),
    kind,
    ...omitElsewhere(presentMembers(notification.data)),
    notified_to: { company_number, ...standings.get(company_number) },
    links: { company: `/company/${company_number}` },
  };
}

function omitElsewhere(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([member]) => !ELSEWHERE.includes(member)));
}

export const pscNotificationList = defineResource({
  name: "psc-notification-list",
  aliases: ["notification-list"],
  path: "/persons-with-significant-control/:psc_id/notifications",
  scope: "persons-with-significant-control.read",
  summary: "All companies that a person or body has been notified to control, ceased notifications last.",
  record: pscRecord,
  parameters: {
    // Limit: the original has no known maximum; a page here has a hundred at most.
    items_per_page: itemsPerPage({ default: 35, maximum: 100 }),
    start_index: startIndex(),
    filter: {
      kind: "choice",
      description: "`active` leaves out ceased notifications and those to companies that have ended.",
      values: ["active"],
    },
  },
  notFound: "psc-notifications-not-found",
  read: (records, { psc_id = "" }, query) => fetchNotificationList(records, psc_id, query),
  // A person without notifications is a 404.
  hasRecords: () => true,
  versions: [version1],
  example,
});
