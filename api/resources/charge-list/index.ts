/** Owns a company's charge list: GET /company/:company_number/charges. */
import { contentHash } from "../../shared/values/identifiers.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/paging.ts";
import { COVERAGE, ETAG } from "../../shared/schemas/schemas.ts";
import { presentCharge, shownChargeSchema } from "../charge/index.ts";
import { chargeRecord, type StoredCharge } from "../charge/record.ts";
import { companyRecord } from "../company-profile/record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import example from "./example.json" with { type: "json" };

/** The query of the list, checked. */
interface ChargeListQuery {
  filter: string | undefined;
  items_per_page: number;
  start_index: number;
}

/** Counts over the whole company; `listed` are those that match the filter. */
interface ChargeCounts {
  all: number;
  listed: number;
  satisfied: number;
  partSatisfied: number;
}

interface ChargeListRead {
  companyNumber: string;
  charges: StoredCharge[];
  counts: ChargeCounts;
}

const SATISFIED = ["satisfied", "fully-satisfied"];
const PART_SATISFIED = ["part-satisfied"];
const UNSATISFIED = ["outstanding", ...PART_SATISFIED];

/** The list of a company, or null when neither the company nor a charge of it is stored. */
async function fetchChargeList(
  records: RecordReader,
  companyNumber: string,
  query: ChargeListQuery,
): Promise<ChargeListRead | null> {
  const filter = { company_number: companyNumber };
  const isFiltered = query.filter === "outstanding";
  const [all, satisfied, partSatisfied, charges] = await Promise.all([
    records.count(chargeRecord, filter),
    records.count(chargeRecord, { ...filter, status: SATISFIED }),
    records.count(chargeRecord, { ...filter, status: PART_SATISFIED }),
    records.fetchPage(chargeRecord, {
      filter: isFiltered ? { ...filter, status: UNSATISFIED } : filter,
      sort: [["charge_order", 1]],
      skip: query.start_index,
      limit: query.items_per_page,
    }),
  ]);
  if (all === 0 && !(await records.fetchOne(companyRecord, { _id: companyNumber }))) return null;
  const listed = isFiltered ? all - satisfied : all;
  return { companyNumber, charges, counts: { all, listed, satisfied, partSatisfied } };
}

const COUNT = { type: "integer", minimum: 0 };

const schema = {
  title: "charge-list",
  description: "A page of a company's charges, and how many there are of each kind.",
  type: "object",
  additionalProperties: false,
  required: ["etag", "items", "part_satisfied_count", "satisfied_count", "total_count", "unfiltered_count"],
  properties: {
    coverage: COVERAGE,
    etag: ETAG,
    items: { type: "array", items: shownChargeSchema },
    part_satisfied_count: { ...COUNT, description: "Charges of the company that are satisfied in part." },
    satisfied_count: { ...COUNT, description: "Charges of the company that are satisfied in full." },
    total_count: { ...COUNT, description: "Number of charges in the filtered list." },
    // Compat: the published schema misspells it, live answers do not.
    unfiltered_count: { ...COUNT, description: "All charges of the company, whatever the filter." },
  },
};

const version1: ResourceVersion<ChargeListRead> = {
  version: 1,
  schema,
  present: ({ companyNumber, charges, counts }) => ({
    etag: contentHash([companyNumber, counts, charges.map(({ etag }) => etag)]),
    items: charges.map(presentCharge),
    part_satisfied_count: counts.partSatisfied,
    satisfied_count: counts.satisfied,
    total_count: counts.listed,
    unfiltered_count: counts.all,
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
  // Compat: 404 only for an unknown company, as the original did for years; a company without charges has counts of zero.
  notFound: "company-mortgages-not-found",
  read: (records, { company_number = "" }, query) => fetchChargeList(records, company_number, query),
  hasRecords: ({ counts }) => counts.all > 0,
  versions: [version1],
  example,
});
