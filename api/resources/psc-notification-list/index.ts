/** A person's notifications over all companies: GET /persons-with-significant-control/:psc_id/notifications. */
import { itemsPerPage, startIndex } from "../../shared/schemas/query-parameters.ts";
import {
  COVERAGE,
  ETAG,
  linkSchema,
  COUNT,
  objectWithOptional,
  objectOf,
  PAGE,
} from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource } from "../define-resource.ts";
import type { Filter, Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import {
  fetchStandings,
  hasEnded,
  standingSchema,
  type Standings,
} from "../officer-appointment-list/companies.ts";
import { pscKinds } from "../person-with-significant-control/kinds.ts";
import { birthMonthSchema, pscMemberSchemas } from "../person-with-significant-control/members.ts";
import { presentMembers } from "../person-with-significant-control/index.ts";
import { pscRecord, type StoredPsc } from "../person-with-significant-control/record.ts";
import { fetchCounted, fetchSelected, readAgreeing } from "../select-page.ts";
import example from "./example.json" with { type: "json" };

const SORT: Page["sort"] = [
  ["is_ceased", 1],
  ["list_order", 1],
];

function fetchAll(records: RecordReader, filter: Filter, skip: number, limit: number) {
  return records.fetchPage(pscRecord, { filter, sort: SORT, skip, limit });
}

type Slice = { psc_id: string; skip: number; limit: number };

/** Counts of the whole list. `unceased`: the companies of un-ceased notifications, which may have ended. */
function countsOf(ceased: number, unceased: string[]) {
  return { total: ceased + unceased.length, ceased, unceased };
}

async function fetchCounts(records: RecordReader, psc_id: string) {
  return countsOf(
    ...(await Promise.all([
      records.count(pscRecord, { psc_id, is_ceased: true }),
      records.fetchKeys(pscRecord, { psc_id, is_ceased: false }, "company_number"),
    ])),
  );
}

/** A page of the list without a filter; `inactive` are un-ceased notifications of companies that have ended. */
async function fetchEvery(records: RecordReader, { psc_id, skip, limit }: Slice) {
  const { items, counts } = await fetchCounted({
    ...{ skip, limit },
    fetchPage: () => fetchAll(records, { psc_id }, skip, limit),
    countItems: (all) => {
      const unceased = all.filter((item) => !item.is_ceased).map(numberOf);
      return countsOf(all.length - unceased.length, unceased);
    },
    fetchCounts: () => fetchCounts(records, psc_id),
  });
  const { total, ceased, unceased } = counts;
  const standings = await fetchStandings(records, [...unceased, ...items.map(numberOf)]);
  const inactive = unceased.filter((number) => isEnded(standings, number)).length;
  return { items, standings, counts: { total, active: unceased.length - inactive, inactive, ceased } };
}

/** A page of active notifications. To find them, un-ceased ones are read in order, with their companies' records. */
async function fetchActive(records: RecordReader, slice: Slice) {
  const { psc_id, skip, limit } = slice;
  return readAgreeing(slice, async () => {
    const filter = { psc_id, is_ceased: false };
    const numbers = await records.fetchKeys(pscRecord, filter, "company_number");
    const standings = await fetchStandings(records, numbers);
    const active = numbers.filter((number) => !isEnded(standings, number)).length;
    const fetch = (from: number, most: number) => fetchAll(records, filter, from, most);
    const select = (found: StoredPsc[]) => found.filter((item) => !isEnded(standings, numberOf(item)));
    const items =
      active === numbers.length
        ? await (skip >= active ? [] : fetch(skip, limit))
        : await fetchSelected({ fetch, select, skip, limit: Math.min(limit, active - skip) });
    return { items, standings, counts: { total: active, active, inactive: 0, ceased: 0 } };
  });
}

function numberOf({ company_number }: StoredPsc): string {
  return company_number;
}

function isEnded(standings: Standings, companyNumber: string): boolean {
  return hasEnded(standings.get(companyNumber) ?? {});
}

const NAME = { type: "string", minLength: 1 };

// Members that no item has: the birth date is at the head of the list, and only the super-secure have the other two.
const ELSEWHERE = ["date_of_birth", "description", "ceased"];

function omitElsewhere(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([member]) => !ELSEWHERE.includes(member)));
}

const itemSchema = {
  title: "psc-notification",
  description: "One company over which a person or body has or had significant control, and how.",
  ...objectOf(["etag", "kind", "links", "name", "notified_to"], {
    ...omitElsewhere(pscMemberSchemas),
    etag: ETAG,
    kind: {
      description: "Kind of the person or body, and of its control.",
      enum: pscKinds.filter(({ subject }) => subject !== "super-secure").map(({ kind }) => kind),
    },
    notified_to: {
      title: "notified-to",
      description: "The company over which the person or body has or had significant control.",
      ...standingSchema,
    },
    links: linkSchema("company", "^/company/[A-Z0-9]{8}$"),
  }),
};

const schema = {
  title: "notification-list",
  description: "A page of the companies over which one person or body has or had significant control.",
  ...objectWithOptional(["date_of_birth", "coverage"], {
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
    ...PAGE,
    items: { type: "array", items: itemSchema },
    coverage: COVERAGE,
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

export const pscNotificationList = defineResource({
  name: "psc-notification-list",
  aliases: ["notification-list"],
  path: "/persons-with-significant-control/:psc_id/notifications",
  scope: "persons-with-significant-control.read",
  summary: "All companies over which a person or body has or had significant control, ceased ones last.",
  record: pscRecord,
  parameters: {
    // Limit: the original has no known maximum; a page here has a hundred at most.
    items_per_page: itemsPerPage({ default: 35, maximum: 100 }),
    start_index: startIndex(),
    filter: {
      kind: "choice",
      description: "`active` leaves out control that has ceased, and companies that have ended.",
      values: ["active"],
    },
  },
  notFound: "psc-notifications-not-found",
  read: async (records, { psc_id = "" }, { items_per_page: limit, start_index: skip, filter }) => {
    // The super-secure have no id and occur in no list.
    if (psc_id === "") return null;
    const fetch = filter === "active" ? fetchActive : fetchEvery;
    const { items: notifications, standings, counts } = await fetch(records, { psc_id, skip, limit });
    // The notification that gives the list its name and birth date: the first of the whole list.
    const isAtHead = skip === 0 && filter !== "active";
    const [head] = isAtHead ? notifications : await fetchAll(records, { psc_id }, 0, 1);
    if (!head) return null;
    return { psc_id, head, notifications, standings, counts, limit, skip };
  },
  // A person without notifications is a 404.
  hasRecords: () => true,
  schema,
  present: ({ psc_id, head, notifications, standings, counts, limit, skip }) => ({
    name: head.data.name ?? "",
    ...(head.data.date_of_birth && { date_of_birth: head.data.date_of_birth }),
    kind: "personal-notification",
    links: { self: `/persons-with-significant-control/${psc_id}/notifications` },
    active_count: counts.active,
    ceased_count: counts.ceased,
    inactive_count: counts.inactive,
    total_results: counts.total,
    items_per_page: limit,
    start_index: skip,
    items: notifications.map((notification) => presentItem(notification, standings)),
  }),
  example,
});
