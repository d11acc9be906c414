/** What a company's list of persons with significant control and its list of statements share: pages, counts, views. */
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { type QueryValues, itemsPerPage, startIndex } from "../../shared/schemas/query-parameters.ts";
import { COVERAGE, COUNT, objectWithOptional, objectOf, PAGE } from "../../shared/schemas/schemas.ts";
import type { RecordDefinition, StoredRecord } from "../../shared/definitions/define-record.ts";
import type { Page, RecordReader } from "../../shared/definitions/record-reader.ts";
import { exemptionsRecord } from "../exemptions/index.ts";
import { isOnPublicRegister, registersRecord } from "../registers/index.ts";
import { fetchCounted, fetchSelected } from "../select-page.ts";
import type { CompanyListKeys } from "./record.ts";

const REGISTER = "persons_with_significant_control";

/**
 * The day on which the register moved to the public register, which is the first of the election period; null when the
 * register is not there now.
 */
export async function fetchPublicSince(records: RecordReader, companyNumber: string): Promise<string | null> {
  const registers = await records.fetchOne(registersRecord, { _id: companyNumber });
  if (!registers || !isOnPublicRegister(registers.data.registers, REGISTER)) return null;
  return registers.data.registers[REGISTER]?.items[0]?.moved_on ?? null;
}

/**
 * Whether the register view shows a record, `since` being the day on which the register became public. It shows active
 * records, and those that ceased on that day or later; one that ceased on an unknown day is left out.
 */
export function isInRegisterView(
  { is_ceased, data }: { is_ceased: boolean; data: { ceased_on?: string } },
  since: string,
): boolean {
  return !is_ceased || (data.ceased_on ?? "") >= since;
}

/** Query parameters of both lists. */
export const listParameters = {
  items_per_page: itemsPerPage({ default: 25, maximum: 100 }),
  start_index: startIndex(),
  register_view: {
    kind: "boolean",
    description:
      "Only entries since the register moved to the public register: those that are active, or ceased from that day on.",
  },
} as const;

/** A page, and the counts of the whole list. */
interface CompanyList<Stored> {
  companyNumber: string;
  items: Stored[];
  total: number;
  ceased: number;
  active: number;
  itemsPerPage: number;
  startIndex: number;
  /** The company is exempt from keeping the register now, so the list links to its exemptions. */
  isExempt: boolean;
}

const SORT: Page["sort"] = [["list_order", 1]];

/** The list of a company, empty when it has none; null for a register view of a register kept elsewhere. */
export async function fetchCompanyList<D extends { ceased_on?: string }, K extends CompanyListKeys>(
  records: RecordReader,
  record: RecordDefinition<D, K>,
  companyNumber: string,
  query: QueryValues<typeof listParameters>,
): Promise<CompanyList<StoredRecord<D, K>> | null> {
  const { items_per_page: limit, start_index: skip } = query;
  const isExempt = await fetchIsExempt(records, companyNumber);
  const page = { companyNumber, itemsPerPage: limit, startIndex: skip, isExempt };
  const filter = { company_number: companyNumber };
  const fetch = (from: number, most: number) =>
    records.fetchPage(record, { filter, sort: SORT, skip: from, limit: most });
  if (query.register_view) {
    const since = await fetchPublicSince(records, companyNumber);
    if (since === null) return null;
    // Limit: all records of the company are read, some hundreds at most.
    const select = (found: StoredRecord<D, K>[]) => found.filter((item) => isInRegisterView(item, since));
    const shown = await fetchSelected({ fetch, select, skip: 0, limit: Infinity });
    return { ...page, items: shown.slice(skip, skip + limit), ...countItems(shown) };
  }
  const fetchCounts = async () => {
    const [total, ceased] = await Promise.all([
      records.count(record, filter),
      records.count(record, { ...filter, is_ceased: true }),
    ]);
    return { total, ceased, active: total - ceased };
  };
  const { items, counts } = await fetchCounted({
    ...{ skip, limit, fetchCounts },
    fetchPage: () => fetch(skip, limit),
    countItems,
  });
  return { ...page, items, ...counts };
}

function countItems(items: readonly { is_ceased: boolean }[]) {
  const ceased = items.filter((item) => item.is_ceased).length;
  return { total: items.length, ceased, active: items.length - ceased };
}

async function fetchIsExempt(records: RecordReader, companyNumber: string): Promise<boolean> {
  const found = await records.fetchOne(exemptionsRecord, { _id: companyNumber });
  const exemptions = Object.values(found?.data.exemptions ?? {});
  return exemptions.some(({ items }) => items.some(({ exempt_to }) => exempt_to === undefined));
}

/** JSON Schema of a list; `links` names its possible links besides `self` and `exemptions`, and their paths. */
export function listEnvelope(
  words: { title: string; description: string },
  path: string,
  item: JsonSchema,
  links: Record<string, string>,
): JsonSchema {
  const all = Object.entries({ self: path, exemptions: "exemptions", ...links });
  const link = (last: string) => ({ type: "string", pattern: `^/company/[A-Z0-9]{8}/${last}$` });
  return {
    ...words,
    ...objectWithOptional(["coverage"], {
      active_count: { ...COUNT, description: "Entries of the list that have not ceased." },
      ceased_count: { ...COUNT, description: "Entries of the list that have ceased." },
      total_results: COUNT,
      ...PAGE,
      links: objectOf(["self"], Object.fromEntries(all.map(([name, last]) => [name, link(last)]))),
      items: { type: "array", items: item },
      coverage: COVERAGE,
    }),
  };
}

/** All members of the answer but the items. */
export function presentEnvelope(
  list: CompanyList<unknown>,
  path: string,
  links: Record<string, string>,
): Record<string, unknown> {
  const { companyNumber, total, ceased, active, itemsPerPage, startIndex, isExempt } = list;
  const company = `/company/${companyNumber}`;
  return {
    active_count: active,
    ceased_count: ceased,
    total_results: total,
    items_per_page: itemsPerPage,
    start_index: startIndex,
    links: {
      self: `${company}/${path}`,
      ...links,
      ...(isExempt && { exemptions: `${company}/exemptions` }),
    },
  };
}
