/** The charges of a company: GET /company/:company_number/charges, and one charge below it, by its id. */
import { contentHash } from "../../shared/values/identifiers.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/query-parameters.ts";
import {
  COVERAGE,
  ETAG,
  linkSchema,
  COUNT,
  objectWithOptional,
  objectOf,
} from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { companyRecord } from "../company-profile/record.ts";
import type { Filter, RecordReader } from "../../shared/definitions/record-reader.ts";
import { defineResource } from "../define-resource.ts";
import { fetchCounted, readAgreeing } from "../select-page.ts";
import { chargeMemberSchemas, chargeRecord, type StoredCharge } from "./record.ts";
import examples from "./examples.json" with { type: "json" };

const schema = {
  title: "charge-details",
  description: "One charge on the assets of a company.",
  // Compat: the original's own data may lack the classification, which its published schema requires.
  ...objectOf(["etag", "id", "charge_number", "status", "links"], {
    ...chargeMemberSchemas,
    etag: ETAG,
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/charges/[A-Za-z0-9_-]{27}=?$"),
  }),
};

/** One charge as the API shows it. */
function presentCharge(stored: StoredCharge): Record<string, unknown> {
  const { company_number: company, ...members } = stored.data;
  return { ...members, etag: etagOf(stored), links: { self: `/company/${company}/charges/${members.id}` } };
}

export const charge = defineResource({
  name: "charge",
  aliases: ["charge-details"],
  path: "/company/:company_number/charges/:charge_id",
  scope: "company.read",
  summary: "One charge on a company's assets.",
  record: chargeRecord,
  notFound: "company-mortgages-not-found",
  // The company is part of the filter: another company's charge is not found here.
  read: (records, { company_number = "", charge_id = "" }) =>
    records.fetchOne(chargeRecord, { _id: charge_id, company_number }),
  schema,
  present: presentCharge,
  example: examples.charge,
});

const SATISFIED = ["satisfied", "fully-satisfied"];
const PART_SATISFIED = ["part-satisfied"];
const UNSATISFIED = ["outstanding", ...PART_SATISFIED];

interface Slice {
  skip: number;
  limit: number;
}

/** Counts of a company's charges. `total` is the length of the list that is shown, which a filter may shorten. */
function countsOf(all: number, satisfied: number, partSatisfied: number) {
  return { all, total: all, satisfied, partSatisfied };
}

function countItems(charges: readonly StoredCharge[]) {
  const countOf = (statuses: string[]) => charges.filter(({ status }) => statuses.includes(status)).length;
  return countsOf(charges.length, countOf(SATISFIED), countOf(PART_SATISFIED));
}

async function fetchCounts(records: RecordReader, company_number: string) {
  const count = (status?: string[]) =>
    records.count(chargeRecord, { company_number, ...(status && { status }) });
  return countsOf(...(await Promise.all([count(), count(SATISFIED), count(PART_SATISFIED)])));
}

function fetchPage(records: RecordReader, filter: Filter, slice: Slice) {
  return records.fetchPage(chargeRecord, { filter, sort: [["charge_order", 1]], ...slice });
}

function fetchAll(records: RecordReader, company_number: string, slice: Slice) {
  return fetchCounted({
    ...slice,
    fetchPage: () => fetchPage(records, { company_number }, slice),
    countItems,
    fetchCounts: () => fetchCounts(records, company_number),
  });
}

/** The charges that are not fully satisfied. The counts include the others, so they do not follow from the page. */
function fetchOutstanding(records: RecordReader, company_number: string, slice: Slice) {
  return readAgreeing(slice, async () => {
    const filter = { company_number, status: UNSATISFIED };
    const counts = await fetchCounts(records, company_number);
    const total = counts.all - counts.satisfied;
    const items = slice.skip < total ? await fetchPage(records, filter, slice) : [];
    return { items, counts: { ...counts, total } };
  });
}

/** Hashes `total` under its former name `listed`: names are part of the hash, so a new name would change all ETags. */
function listEtag(
  company_number: string,
  { total: listed, ...counts }: ReturnType<typeof countsOf>,
  charges: readonly StoredCharge[],
): string {
  return contentHash([company_number, { ...counts, listed }, charges.map(({ etag }) => etag)]);
}

const listSchema = {
  title: "charge-list",
  description: "A page of a company's charges, and how many there are of each kind.",
  ...objectWithOptional(["coverage"], {
    coverage: COVERAGE,
    etag: ETAG,
    items: { type: "array", items: schema },
    part_satisfied_count: { ...COUNT, description: "Charges of the company that are satisfied in part." },
    satisfied_count: { ...COUNT, description: "Charges of the company that are satisfied in full." },
    total_count: { ...COUNT, description: "Number of charges in the filtered list." },
    // Compat: the published schema misspells it, live answers do not.
    unfiltered_count: { ...COUNT, description: "All charges of the company, whatever the filter." },
  }),
};

export const chargeList = defineResource({
  name: "charge-list",
  path: "/company/:company_number/charges",
  scope: "company.read",
  summary: "The charges on a company's assets, latest first.",
  record: chargeRecord,
  parameters: {
    filter: {
      kind: "choice",
      description: "`outstanding` leaves out charges that are satisfied.",
      values: ["outstanding"],
    },
    items_per_page: itemsPerPage({ default: 25, maximum: 100 }),
    start_index: startIndex(),
  },
  // Compat: 404 only for an unknown company, as the original did for years; without charges the counts are zero.
  notFound: "company-mortgages-not-found",
  read: async (records, { company_number = "" }, query) => {
    const { items_per_page: limit, start_index: skip } = query;
    const isOutstanding = query.filter === "outstanding";
    const fetch = isOutstanding ? fetchOutstanding : fetchAll;
    const { items: charges, counts } = await fetch(records, company_number, { skip, limit });
    if (counts.all === 0 && !(await records.fetchOne(companyRecord, { _id: company_number }))) return null;
    return { company_number, charges, counts };
  },
  hasRecords: ({ counts }) => counts.all > 0,
  schema: listSchema,
  present: ({ company_number, charges, counts }) => ({
    etag: listEtag(company_number, counts, charges),
    items: charges.map(presentCharge),
    part_satisfied_count: counts.partSatisfied,
    satisfied_count: counts.satisfied,
    total_count: counts.total,
    unfiltered_count: counts.all,
  }),
  example: examples["charge-list"],
});
