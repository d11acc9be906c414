/** Owns the reads behind a company's officer list: the page, and the counts over the whole company. */
import { ApiError } from "../../core/errors.ts";
import { companyRecord } from "../company-profile/record.ts";
import type { Filter, Page, RecordReader } from "../define-resource.ts";
import type { RegisterType } from "../officer-appointment/order.ts";
import { showOfficers } from "../officer-appointment/persons.ts";
import { appointmentRecord, ENDED_STATUSES, type StoredAppointment } from "../officer-appointment/record.ts";
import { isOnPublicRegister, registersRecord } from "../registers/record.ts";

/** True when the latest known place of a company's register is the public register. */
type RegisterPlace = (records: RecordReader, companyNumber: string, type: RegisterType) => Promise<boolean>;

/** Reads the company's registers; without a stored record, no register counts as public. */
export const isRegisterPublic: RegisterPlace = async (records, companyNumber, type) => {
  const stored = await records.fetchOne(registersRecord, { _id: companyNumber });
  return stored !== null && isOnPublicRegister(stored, type);
};

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
export async function fetchOfficerList(
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
export async function fetchRegisterView(
  records: RecordReader,
  companyNumber: string,
  query: OfficerListQuery,
  isPublic: RegisterPlace,
): Promise<OfficerListRead | null> {
  const { register_type: type } = query;
  if (type === undefined) throw missingRegisterType();
  // The declaration of the parameter accepts only the three types.
  if (!(await isPublic(records, companyNumber, type as RegisterType))) {
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
