/** Owns the reads behind a company's charge list: the page, and the counts over the whole company. */
import { chargeRecord, type StoredCharge } from "../charge/record.ts";
import { companyRecord } from "../company-profile/record.ts";
import type { RecordReader } from "../define-resource.ts";

/** The query of the list, checked. */
export interface ChargeListQuery {
  filter: string | undefined;
  items_per_page: number;
  start_index: number;
}

/** Counts over the whole company; `listed` are those that match the filter. */
export interface ChargeCounts {
  all: number;
  listed: number;
  satisfied: number;
  partSatisfied: number;
}

export interface ChargeListRead {
  companyNumber: string;
  charges: StoredCharge[];
  counts: ChargeCounts;
}

const SATISFIED = ["satisfied", "fully-satisfied"];
const PART_SATISFIED = ["part-satisfied"];
const UNSATISFIED = ["outstanding", ...PART_SATISFIED];

/** The list of a company, or null when neither the company nor a charge of it is stored. */
export async function fetchChargeList(
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
