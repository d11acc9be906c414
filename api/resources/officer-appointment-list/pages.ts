/** Reads a person's appointments: a page of all or of the active ones, counts, and the one that names the list. */
import type { Filter, Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { KEPT_FROM } from "../../shared/stores/collections/officer-counts.ts";
import { appointmentRecord, type StoredAppointment } from "../officer-appointment/record.ts";
import { fetchCounted, fetchSelected, readAgreeing } from "../select-page.ts";
import { countInactive, fetchStandings, hasEnded, standingOf, type Standings } from "./companies.ts";

const SORT: Page["sort"] = [
  ["is_resigned", 1],
  ["person_order", 1],
];

// Limit: the newest active appointment gives the list its name. Of very many appointments only this many are searched
// for it, since thousands may be in companies that have ended. If none is active, the newest of all gives the name.
const HEADS = 20;

/** Whose appointments are read, and which part of them. */
interface Question {
  filter: Filter;
  /** The id by which the person is shown. */
  shownId: string;
  skip: number;
  limit: number;
}

/** Counts over all appointments of the person; `inactive` are serving ones in companies that have ended. */
interface Counts {
  total: number;
  active: number;
  inactive: number;
  resigned: number;
  /** `inactive` is a stored count, which may be out of date. */
  isStored: boolean;
}

/** A page of all appointments, their counts, and `head`: the one that gives the list its name, birth date and ETag. */
export async function fetchPage(records: RecordReader, question: Question) {
  const { filter, skip, limit } = question;
  let standings: Standings = new Map();
  const { items, counts } = await fetchCounted({
    ...{ skip, limit },
    fetchPage: async () => {
      const page = await fetchAll(records, filter, skip, limit);
      standings = await fetchStandings(records, page.map(numberOf));
      return page;
    },
    countItems: (all) => countItems(all, standings),
    fetchCounts: () => fetchCounts(records, question),
  });
  const isAtStart = skip === 0 && !counts.isStored;
  const shown = counts.active > 0 ? items.find((item) => isActive(item, standings)) : items[0];
  const head = (isAtStart ? shown : undefined) ?? (await fetchHead(records, filter, counts));
  return { items, standings, counts, head };
}

/** The same for active appointments. To find them, serving ones are read in order, with their companies' records. */
export async function fetchActivePage(records: RecordReader, question: Question) {
  const { filter, skip, limit } = question;
  const read = async () => {
    const all = await fetchCounts(records, question);
    const { active, isStored } = all;
    // A page beyond the last active one is not read. A stored count may be too low, as when a company was restored
    // since: with it, at least the beginning of the list is read.
    const isBehind = active <= skip && !isStored;
    const items = isBehind ? [] : await fetchActive(records, filter, all, { skip, limit });
    return { items, all, counts: { total: active, active, inactive: 0, resigned: 0 } };
  };
  // A stored count may contradict every page, so reading again would not help.
  const isExact = ({ all }: { all: Counts }) => !all.isStored;
  const { items, all, counts } = await readAgreeing(question, read, isExact);
  const [standings, head] = await Promise.all([
    fetchStandings(records, items.map(numberOf)),
    fetchHead(records, filter, all),
  ]);
  return { items, standings, counts, head };
}

/** The counts of a person. For an officer with very many appointments the number of inactive ones is stored. */
async function fetchCounts(records: RecordReader, { filter, shownId }: Question): Promise<Counts> {
  const [resigned, serving] = await Promise.all([
    records.count(appointmentRecord, { ...filter, is_resigned: true }),
    records.count(appointmentRecord, { ...filter, is_resigned: false }),
  ]);
  const stored = serving > KEPT_FROM ? await records.fetchInactiveCount(shownId) : null;
  const inactive = serving === 0 ? 0 : (stored ?? (await countInactive(records, filter)));
  const active = Math.max(0, serving - inactive);
  return { total: resigned + serving, active, inactive, resigned, isStored: stored !== null };
}

/** The counts of a person who has these appointments and no others. */
function countItems(items: StoredAppointment[], standings: Standings): Counts {
  const resigned = items.filter((item) => item.is_resigned).length;
  const active = items.filter((item) => isActive(item, standings)).length;
  const total = items.length;
  return { total, active, inactive: total - resigned - active, resigned, isStored: false };
}

function isActive({ is_resigned, data }: StoredAppointment, standings: Standings): boolean {
  return !is_resigned && !hasEnded(standingOf(data, standings));
}

/** The first active appointment, else the first of all. */
async function fetchHead(records: RecordReader, filter: Filter, counts: Counts) {
  const isAmongFew = counts.isStored && counts.inactive > 0;
  const fetchFirst = async () =>
    isAmongFew
      ? selectActive(records, await fetchServing(records, filter, 0, HEADS))
      : fetchActive(records, filter, counts, { skip: 0, limit: 1 });
  const [first] = counts.active > 0 ? await fetchFirst() : [];
  return first ?? (await fetchAll(records, filter, 0, 1))[0];
}

async function fetchActive(
  records: RecordReader,
  filter: Filter,
  { active, inactive }: Counts,
  { skip, limit }: { skip: number; limit: number },
): Promise<StoredAppointment[]> {
  const enough = active - skip;
  if (inactive === 0) return fetchServing(records, filter, skip, Math.min(limit, enough));
  const fetch = (from: number, most: number) => fetchServing(records, filter, from, most);
  return fetchSelected({ fetch, select: (serving) => selectActive(records, serving), skip, limit, enough });
}

async function selectActive(records: RecordReader, serving: StoredAppointment[]) {
  const standings = await fetchStandings(records, serving.map(numberOf));
  return serving.filter((item) => isActive(item, standings));
}

function fetchServing(records: RecordReader, filter: Filter, skip: number, limit: number) {
  return fetchAll(records, { ...filter, is_resigned: false }, skip, limit);
}

function fetchAll(records: RecordReader, filter: Filter, skip: number, limit: number) {
  return records.fetchPage(appointmentRecord, { filter, sort: SORT, skip, limit });
}

function numberOf({ company_number }: StoredAppointment): string {
  return company_number;
}
