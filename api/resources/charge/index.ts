/** Owns the charges of a company: GET /company/:company_number/charges, and one of them below it by its id. */
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
import { defineResource } from "../define-resource.ts";
import { fetchWithin } from "../select-page.ts";
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
  // Compat: 404 only for an unknown company, as the original did for years; a company without charges has counts of zero.
  notFound: "company-mortgages-not-found",
  read: async (records, { company_number = "" }, query) => {
    const filter = { company_number };
    const isFiltered = query.filter === "outstanding";
    const counting = records.count(chargeRecord, filter);
    const { items_per_page: limit, start_index: skip } = query;
    const [all, satisfied, partSatisfied, charges] = await Promise.all([
      counting,
      records.count(chargeRecord, { ...filter, status: SATISFIED }),
      records.count(chargeRecord, { ...filter, status: PART_SATISFIED }),
      fetchWithin(counting, skip, () =>
        records.fetchPage(chargeRecord, {
          filter: isFiltered ? { ...filter, status: UNSATISFIED } : filter,
          sort: [["charge_order", 1]],
          ...{ skip, limit },
        }),
      ),
    ]);
    if (all === 0 && !(await records.fetchOne(companyRecord, { _id: company_number }))) return null;
    const listed = isFiltered ? all - satisfied : all;
    return { company_number, charges, counts: { all, listed, satisfied, partSatisfied } };
  },
  hasRecords: ({ counts }) => counts.all > 0,
  schema: listSchema,
  present: ({ company_number, charges, counts }) => ({
    etag: contentHash([company_number, counts, charges.map(({ etag }) => etag)]),
    items: charges.map(presentCharge),
    part_satisfied_count: counts.partSatisfied,
    satisfied_count: counts.satisfied,
    total_count: counts.listed,
    unfiltered_count: counts.all,
  }),
  example: examples["charge-list"],
});
