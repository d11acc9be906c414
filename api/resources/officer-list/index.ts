/** Owns a company's officer list: GET /company/:company_number/officers. */
import { ApiError } from "../../shared/runtime/errors.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/paging.ts";
import { COVERAGE, linkSchema } from "../../shared/schemas/schemas.ts";
import { companyRecord } from "../company-profile/record.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import type { Filter, Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { officerSummarySchema, presentOfficer } from "../officer-appointment/index.ts";
import { REGISTER_ROLES, type RegisterType } from "../officer-appointment/order.ts";
import { showOfficers } from "../officer-appointment/persons.ts";
import { appointmentRecord, ENDED_STATUSES, type StoredAppointment } from "../officer-appointment/record.ts";
import { isOnPublicRegister, registersRecord } from "../registers/record.ts";
import example from "./example.json" with { type: "json" };

/** The query of the list, checked. */
interface OfficerListQuery {
  items_per_page: number;
  start_index: number;
  register_view: boolean;
  register_type: string | undefined;
  order_by: string | undefined;
  filter: string | undefined;
}

/** Over the whole company, not the page; `inactive` are un-resigned officers of a company that has ended. */
interface OfficerCounts {
  total: number;
  active: number;
  resigned: number;
  inactive?: number;
}

export interface OfficerListRead {
  companyNumber: string;
  officers: StoredAppointment[];
  counts: OfficerCounts;
  itemsPerPage: number;
  startIndex: number;
}

const ROLE_ORDER: Page["sort"] = [
  ["role_rank", 1],
  ["name_order", 1],
];
const SORTS: Record<string, Page["sort"]> = {
  appointed_on: [["appointed_order", 1], ...ROLE_ORDER],
  resigned_on: [["resigned_order", 1], ...ROLE_ORDER],
  surname: [["name_order", 1]],
};

/** The list of a company, or null when neither the company nor an officer of it is stored. */
async function fetchOfficerList(
  records: RecordReader,
  companyNumber: string,
  query: OfficerListQuery,
): Promise<OfficerListRead | null> {
  const filter = { company_number: companyNumber };
  const [company, total, resigned] = await Promise.all([
    records.fetchOne(companyRecord, { _id: companyNumber }),
    records.count(appointmentRecord, filter),
    records.count(appointmentRecord, { ...filter, is_resigned: true }),
  ]);
  if (!company && total === 0) return null;
  const hasEnded = company
    ? ENDED_STATUSES.has(company.data.company_status ?? "")
    : (await records.count(appointmentRecord, { ...filter, is_company_ended: true })) > 0;
  const serving = total - resigned;
  const counts = { total, resigned, active: hasEnded ? 0 : serving, inactive: hasEnded ? serving : 0 };
  if (query.filter !== "active") return fetchPage(records, filter, counts, query);
  const activeCounts = { ...counts, total: counts.active };
  if (hasEnded) return describePage(companyNumber, [], activeCounts, query);
  return fetchPage(records, { ...filter, is_resigned: false }, activeCounts, query);
}

/**
 * Serving officers of one register, or null when neither the company nor an officer of it is stored. Throws ApiError without
 * a register type, and with a 404 of its own when the company does not keep that register on the public register.
 */
async function fetchRegisterView(
  records: RecordReader,
  companyNumber: string,
  query: OfficerListQuery,
): Promise<OfficerListRead | null> {
  const { register_type: type } = query;
  if (type === undefined) throw missingRegisterType();
  const registers = await records.fetchOne(registersRecord, { _id: companyNumber });
  // The declaration of the parameter accepts only the three types.
  if (!registers || !isOnPublicRegister(registers, type as RegisterType)) {
    if (await isStored(records, companyNumber)) throw registerNotPublic();
    return null;
  }
  const filter = { company_number: companyNumber, is_resigned: false, register_type: type };
  const active = await records.count(appointmentRecord, filter);
  return fetchPage(records, filter, { total: active, active, resigned: 0 }, query);
}

async function isStored(records: RecordReader, companyNumber: string): Promise<boolean> {
  const company = await records.fetchOne(companyRecord, { _id: companyNumber });
  return company !== null || (await records.count(appointmentRecord, { company_number: companyNumber })) > 0;
}

async function fetchPage(
  records: RecordReader,
  filter: Filter & { company_number: string },
  counts: OfficerCounts,
  query: OfficerListQuery,
): Promise<OfficerListRead> {
  const officers = await records.fetchPage(appointmentRecord, {
    filter,
    sort: SORTS[query.order_by ?? ""] ?? ROLE_ORDER,
    skip: query.start_index,
    limit: query.items_per_page,
  });
  const shown = await showOfficers(records, officers);
  return describePage(filter.company_number, shown, counts, query);
}

function describePage(
  companyNumber: string,
  officers: StoredAppointment[],
  counts: OfficerCounts,
  query: OfficerListQuery,
): OfficerListRead {
  const { items_per_page: itemsPerPage, start_index: startIndex } = query;
  return { companyNumber, officers, counts, itemsPerPage, startIndex };
}

function missingRegisterType(): ApiError {
  return new ApiError(400, [
    {
      type: "ch:validation",
      error: "missing-parameter",
      location_type: "query-parameter",
      location: "register_type",
    },
  ]);
}

function registerNotPublic(): ApiError {
  return new ApiError(404, [{ type: "ch:service", error: "company-register-not-public" }]);
}

const COUNT = { type: "integer", minimum: 0 };

const schema = {
  title: "officer-list",
  description: "A page of a company's officers, and how many there are of each kind.",
  type: "object",
  additionalProperties: false,
  required: [
    "active_count",
    "etag",
    "items",
    "items_per_page",
    "kind",
    "links",
    "resigned_count",
    "start_index",
    "total_results",
  ],
  properties: {
    active_count: { ...COUNT, description: "Officers of the company who are in office." },
    inactive_count: {
      ...COUNT,
      description: "Officers who have not resigned of a company that is dissolved, closed or converted.",
    },
    resigned_count: { ...COUNT, description: "Officers of the company who have resigned." },
    total_results: COUNT,
    items_per_page: { type: "integer", minimum: 1 },
    start_index: COUNT,
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
  },
};

export const version1: ResourceVersion<OfficerListRead> = {
  version: 1,
  schema,
  present: ({ companyNumber, officers, counts, itemsPerPage, startIndex }) => ({
    active_count: counts.active,
    ...(counts.inactive === undefined ? {} : { inactive_count: counts.inactive }),
    resigned_count: counts.resigned,
    total_results: counts.total,
    items_per_page: itemsPerPage,
    start_index: startIndex,
    kind: "officer-list",
    etag: officers[0] ? etagOf(officers[0]) : "",
    links: { self: `/company/${companyNumber}/officers` },
    items: officers.map(presentOfficer),
  }),
};

export const officerList = defineResource({
  name: "officer-list",
  path: "/company/:company_number/officers",
  scope: "company.read",
  summary: "The officers of a company, serving and resigned.",
  record: appointmentRecord,
  parameters: {
    items_per_page: itemsPerPage({ default: 35, maximum: 100, refusesBelowOne: true }),
    start_index: startIndex(),
    register_view: {
      kind: "boolean",
      description: "Only serving officers of the register that `register_type` names, where it is public.",
    },
    register_type: {
      kind: "choice",
      description: "The register to view; required with `register_view`.",
      values: Object.keys(REGISTER_ROLES),
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
  },
  notFound: "company-profile-not-found",
  read: (records, { company_number = "" }, query) =>
    query.register_view
      ? fetchRegisterView(records, company_number, query)
      : fetchOfficerList(records, company_number, query),
  hasRecords: async ({ counts, companyNumber: company_number }, records) =>
    counts.total > 0 || (await records.count(appointmentRecord, { company_number })) > 0,
  etag: ({ officers: [first] }) => first && etagOf(first),
  versions: [version1],
  example,
});
