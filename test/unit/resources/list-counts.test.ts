/** Counts of lists while records arrive: they must fit the items shown. */
import { describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import type { RecordReader } from "../../../api/shared/definitions/record-reader.ts";
import { chargeList } from "../../../api/resources/charge/index.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import type { ResourceDefinition } from "../../../api/resources/define-resource.ts";
import { filingHistory } from "../../../api/resources/filing-history/index.ts";
import { filingRecord } from "../../../api/resources/filing-history/record.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
import { officerAppointmentList } from "../../../api/resources/officer-appointment-list/index.ts";
import { officerList } from "../../../api/resources/officer-list/index.ts";
import { pscList } from "../../../api/resources/person-with-significant-control/index.ts";
import { pscRecord } from "../../../api/resources/person-with-significant-control/record.ts";
import { pscNotificationList } from "../../../api/resources/psc-notification-list/index.ts";
import { aPerson } from "../../support/psc-builders.ts";
import { createMemoryReader } from "../../support/record-reader.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";

const NUMBER = "99000001";
const OFFICER = "p".repeat(27);
const idOf = (index: number) => String(index).padStart(27, "a");
const six = <Made>(make: (index: number) => Made) => Array.from({ length: 6 }, (_, index) => make(index));
const isOdd = (index: number) => index % 2 === 1;

const appointments = six((index) =>
  toStored(
    appointmentRecord,
    {
      appointment_id: idOf(index),
      officer_id: OFFICER,
      company_number: NUMBER,
      officer_role: "director",
      is_corporate: false,
      name_elements: { forename: "Barnaby", surname: "QUILLFEATHER" },
      appointed_on: `201${index}-01-01`,
      ...(isOdd(index) && { resigned_on: "2021-01-01" }),
    },
    1,
  ),
);
const pscs = six((index) =>
  toStored(
    pscRecord,
    {
      notification_id: idOf(index),
      company_number: NUMBER,
      kind: "individual-person-with-significant-control",
      name: "Mr Barnaby Quillfeather",
      name_elements: { title: "Mr", forename: "Barnaby", surname: "Quillfeather" },
      date_of_birth: { month: 5, year: 1962 },
      notified_on: `201${index}-01-01`,
      ...(isOdd(index) && { ceased_on: "2021-01-01" }),
    },
    1,
  ),
);
const charges = six((index) =>
  toStored(
    chargeRecord,
    {
      company_number: NUMBER,
      id: idOf(index),
      charge_number: index + 1,
      status: isOdd(index) ? "fully-satisfied" : "outstanding",
    },
    1,
  ),
);
const filings = six((index) =>
  toStored(
    filingRecord,
    {
      company_number: NUMBER,
      transaction_id: idOf(index),
      type: "AA",
      date: `201${index}-01-01`,
      category: "accounts",
      description: "accounts",
    },
    1,
  ),
);
const companies = [aCompany(NUMBER)];
const elsewhere = aPerson("99000002", "other", { ceased_on: "2021-01-01" });
const { records: complete, pages } = createMemoryReader({
  ...{ companies, appointments, charges, filings },
  pscs: [...pscs, elsewhere],
});
const empty = createMemoryReader({ companies }).records;

/**
 * A reader whose pages have all records, but whose first counts, `emptyCounts` of them, still find none. `calls.counts`
 * is how many counts were read.
 */
function countingLate(emptyCounts: number): { records: RecordReader; calls: { counts: number } } {
  const calls = { counts: 0 };
  const late = () => ((calls.counts += 1) <= emptyCounts ? empty : complete);
  const records = {
    ...complete,
    count: (...[record, filter]: Parameters<RecordReader["count"]>) => late().count(record, filter),
    fetchKeys: (...[record, filter, key]: Parameters<RecordReader["fetchKeys"]>) =>
      late().fetchKeys(record, filter, key),
  };
  return { records, calls };
}

interface Case {
  resource: ResourceDefinition;
  path: Record<string, string>;
  /** The counts of six records, three of which have ended. */
  counts: Record<string, number>;
}

const company = { company_number: NUMBER };
const cases: Case[] = [
  {
    resource: officerList,
    path: company,
    counts: { total_results: 6, active_count: 3, resigned_count: 3, inactive_count: 0 },
  },
  {
    resource: officerAppointmentList,
    path: { officer_id: OFFICER },
    counts: { total_results: 6, active_count: 3, resigned_count: 3, inactive_count: 0 },
  },
  { resource: pscList, path: company, counts: { total_results: 6, active_count: 3, ceased_count: 3 } },
  {
    resource: pscNotificationList,
    path: { psc_id: String((pscs[0] as { psc_id?: string } | undefined)?.psc_id) },
    counts: { total_results: 6, active_count: 3, ceased_count: 3, inactive_count: 0 },
  },
  {
    resource: chargeList,
    path: company,
    counts: { total_count: 6, unfiltered_count: 6, satisfied_count: 3 },
  },
  { resource: filingHistory, path: company, counts: { total_count: 6 } },
];

async function get({ resource, path }: Case, records: RecordReader, query: RawQuery) {
  const read = await resource.read(records, path, parseQuery(resource.parameters, query));
  return resource.versions[0].present(read, { today: "2026-11-01" });
}

describe.each(cases.map((one) => [one.resource.name, one] as const))("counts of %s", (_name, one) => {
  it("are computed from the items if the page is the whole list, without reading them", async () => {
    const { records, calls } = countingLate(Infinity);
    const body = await get(one, records, {});
    expect(body.items).toHaveLength(6);
    expect(body).toMatchObject(one.counts);
    expect(calls.counts).toBe(0);
  });

  it("are read with the last page once, and without a page beyond it", async () => {
    pages.length = 0;
    await get(one, complete, { items_per_page: "2", start_index: "4" });
    await get(one, complete, { items_per_page: "2", start_index: "6" });
    expect(pages.map(({ skip }) => skip).filter((skip) => skip > 0)).toEqual([4]);
  });

  it.each(["0", "3", "4"])(
    "fit the page from %s, even if its records arrive after the first count",
    async (start_index) => {
      const query = { items_per_page: "2", start_index };
      const quiet = await get(one, complete, query);
      expect(quiet).toMatchObject(one.counts);
      expect(quiet.items).toHaveLength(2);
      const body = await get(one, countingLate(1).records, query);
      const counts = Object.keys(one.counts).map((name) => Number(body[name]));
      const shown = (body.items as unknown[]).length;
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
      if (shown > 0) expect(Math.max(...counts)).toBeGreaterThanOrEqual(Number(start_index) + shown);
    },
  );
});
