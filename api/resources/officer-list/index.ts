/** A company's officer list: GET /company/:company_number/officers. */
import { ApiError, serviceError } from "../../shared/runtime/errors.ts";
import {
  parameterFault,
  type QueryValues,
  itemsPerPage,
  startIndex,
} from "../../shared/schemas/query-parameters.ts";
import { COVERAGE, linkSchema, COUNT, objectWithOptional, PAGE } from "../../shared/schemas/schemas.ts";
import { companyRecord } from "../company-profile/record.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { hasRecordOf } from "../define-company-record.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import type { Filter, Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { officerSummarySchema, presentOfficer } from "../officer-appointment/index.ts";
import { REGISTER_TYPES } from "../officer-appointment/order.ts";
import { showOfficers } from "../officer-appointment/persons.ts";
import { appointmentRecord, INACTIVE_STATUSES } from "../officer-appointment/record.ts";
import { isOnPublicRegister, registersRecord } from "../registers/index.ts";
import { fetchCounted } from "../select-page.ts";
import example from "./example.json" with { type: "json" };

const ROLE_ORDER: Page["sort"] = [
  ["role_rank", 1],
  ["name_order", 1],
];
const SORTS: Record<string, Page["sort"]> = {
  appointed_on: [["appointed_order", 1], ...ROLE_ORDER],
  resigned_on: [["resigned_order", 1], ...ROLE_ORDER],
  surname: [["name_order", 1]],
};

const parameters = {
  items_per_page: itemsPerPage({ default: 35, maximum: 100, refusesBelowOne: true }),
  start_index: startIndex(),
  register_view: {
    kind: "boolean",
    description: "Only serving officers of the register that `register_type` names, where it is public.",
  },
  register_type: {
    kind: "choice",
    description:
      "The register to view, `llp-members` being another spelling; required with `register_view`, and ignored without.",
    values: REGISTER_TYPES,
    passesOthers: true,
  },
  order_by: {
    kind: "choice",
    description: "Order by latest appointment, latest resignation or surname; default: by role.",
    values: ["appointed_on", "surname", "resigned_on"],
  },
  filter: {
    kind: "choice",
    description: "`active` leaves out resigned officers, and all officers of a company that has ended.",
    values: ["active"],
  },
} as const;

type Query = QueryValues<typeof parameters>;

/** The company, and which of its officers are listed. */
interface Selection {
  company_number: string;
  filter: Filter;
  query: Query;
}

/** The officers of a company, or null when neither the company nor an officer of it is stored. */
async function fetchOfficers(records: RecordReader, company_number: string, query: Query) {
  const isServing = query.filter === "active";
  const filter = { company_number, ...(isServing && { is_resigned: false }) };
  const { company, list } = await fetchSelection(records, { company_number, filter, query });
  if (company || list.counts.total > 0) return list;
  // The filter may have left out all of them.
  return isServing && (await hasRecordOf(records, [appointmentRecord], company_number)) ? list : null;
}

/**
 * Serving officers of one register, or null when neither the company nor an officer of it is stored. Throws ApiError:
 * 400 without a known register type, 404 with an error of its own if that register is not on the public register.
 */
async function fetchOnRegister(records: RecordReader, company_number: string, query: Query) {
  const { register_type } = query;
  // Compat: the specification spells it with a hyphen (2.2), the original's service with an underscore.
  const register = REGISTER_TYPES.find((type) => type === register_type?.replace("-", "_"));
  if (register === undefined) {
    const fault = register_type === undefined ? "missing-parameter" : "invalid-parameter";
    throw new ApiError(400, [parameterFault("register_type", register_type, fault)]);
  }
  const registers = await records.fetchOne(registersRecord, { _id: company_number });
  if (!registers || !isOnPublicRegister(registers.data.registers, register)) {
    if (!(await hasRecordOf(records, [companyRecord, appointmentRecord], company_number))) return null;
    throw new ApiError(404, [serviceError("company-register-not-public")]);
  }
  const filter = { company_number, is_resigned: false, register_type: register };
  return (await fetchSelection(records, { company_number, filter, query })).list;
}

/**
 * The officers that the filter finds, and counts over the whole list. In a company that has ended, every un-resigned
 * officer is inactive and none is active.
 */
async function fetchSelection(records: RecordReader, { company_number, filter, query }: Selection) {
  const [company, { items, counts }] = await Promise.all([
    records.fetchOne(companyRecord, { _id: company_number }),
    fetchPage(records, filter, query),
  ]);
  const hasEnded = await fetchHasEnded(records, company_number, company);
  const { total, serving, resigned } = counts;
  const active = hasEnded ? 0 : serving;
  const inactive = serving - active;
  // Counts are those of the result set (specification 2.3).
  const list =
    hasEnded && query.filter === "active"
      ? { items: [], counts: { total: 0, active: 0, inactive: 0, resigned: 0 } }
      : { items, counts: { total, active, inactive, resigned } };
  return { company, list };
}

async function fetchPage(records: RecordReader, filter: Filter, query: Query) {
  const { items_per_page: limit, start_index: skip } = query;
  const sort = SORTS[query.order_by ?? ""] ?? ROLE_ORDER;
  const fetchCounts = async () => {
    const [total, resigned] = await Promise.all([
      records.count(appointmentRecord, filter),
      "is_resigned" in filter ? 0 : records.count(appointmentRecord, { ...filter, is_resigned: true }),
    ]);
    return { total, serving: total - resigned, resigned };
  };
  return fetchCounted({
    ...{ skip, limit, fetchCounts },
    fetchPage: () => records.fetchPage(appointmentRecord, { filter, sort, skip, limit }),
    countItems: (items) => {
      const resigned = items.filter((item) => item.is_resigned).length;
      return { total: items.length, serving: items.length - resigned, resigned };
    },
  });
}

async function fetchHasEnded(
  records: RecordReader,
  company_number: string,
  company: StoredOf<typeof companyRecord> | null,
): Promise<boolean> {
  if (company) return INACTIVE_STATUSES.has(company.data.company_status ?? "");
  return (await records.count(appointmentRecord, { company_number, is_company_ended: true })) > 0;
}

const schema = {
  title: "officer-list",
  description: "A page of a company's officers, and how many there are of each kind.",
  ...objectWithOptional(["coverage"], {
    active_count: { ...COUNT, description: "Officers of the list who are in office." },
    inactive_count: {
      ...COUNT,
      description:
        "Officers of the list who have not resigned, of a company that is dissolved, closed or converted.",
    },
    resigned_count: { ...COUNT, description: "Officers of the list who have resigned." },
    total_results: COUNT,
    ...PAGE,
    kind: { const: "officer-list" },
    // Compat: the first item's, and empty where the page has none.
    etag: {
      type: "string",
      pattern: "^([0-9a-f]{40})?$",
      description: "Version of the first officer of the page. Empty where the page has none.",
    },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/officers$"),
    items: { type: "array", items: officerSummarySchema },
    coverage: COVERAGE,
  }),
};

export const officerList = defineResource({
  name: "officer-list",
  path: "/company/:company_number/officers",
  scope: "company.read",
  summary: "The officers of a company, serving and resigned.",
  record: appointmentRecord,
  parameters,
  notFound: "company-profile-not-found",
  read: async (records, { company_number = "" }, query) => {
    const fetch = query.register_view ? fetchOnRegister : fetchOfficers;
    const list = await fetch(records, company_number, query);
    if (!list) return null;
    const { items_per_page: limit, start_index: skip } = query;
    const officers = await showOfficers(records, list.items);
    const { counts } = list;
    return { company_number, officers, counts, limit, skip };
  },
  hasRecords: async ({ counts, company_number }, records) =>
    counts.total > 0 || (await records.count(appointmentRecord, { company_number })) > 0,
  hasEtag: true,
  schema,
  present: ({ company_number, officers, counts, limit, skip }) => ({
    active_count: counts.active,
    inactive_count: counts.inactive,
    resigned_count: counts.resigned,
    total_results: counts.total,
    items_per_page: limit,
    start_index: skip,
    kind: "officer-list",
    etag: officers[0] ? etagOf(officers[0]) : "",
    links: { self: `/company/${company_number}/officers` },
    items: officers.map(presentOfficer),
  }),
  example,
});
