/** A company's filing history: GET /company/:company_number/filing-history, and one filing below it, by its id. */
import { byPrefix } from "../../shared/values/company-number.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { contentHash } from "../../shared/values/identifiers.ts";
import { itemsPerPage, startIndex } from "../../shared/schemas/query-parameters.ts";
import { COVERAGE, ETAG, COUNT, objectWithOptional, objectOf } from "../../shared/schemas/schemas.ts";
import { defineResource } from "../define-resource.ts";
import { fetchCounted } from "../select-page.ts";
import { documentLinkSchema, filingMemberSchemas } from "./members.ts";
import { filingRecord, type StoredFiling } from "./record.ts";
import examples from "./examples.json" with { type: "json" };

const schema = {
  title: "filing-history-item",
  description: "One filing of a company.",
  ...objectOf(["transaction_id", "type", "date", "category", "description", "links"], {
    ...filingMemberSchemas,
    links: objectOf(["self"], {
      self: { type: "string", pattern: "^/company/[A-Z0-9]{8}/filing-history/[A-Za-z0-9_=-]+$" },
      document_metadata: documentLinkSchema,
    }),
  }),
};

/** One filing as the API shows it. */
function presentFiling({ data: filing }: StoredFiling): Record<string, unknown> {
  const { company_number: company, links, ...members } = filing;
  const self = `/company/${company}/filing-history/${filing.transaction_id}`;
  return { ...members, links: { self, ...links } };
}

export const filingHistoryItem = defineResource({
  name: "filing-history-item",
  path: "/company/:company_number/filing-history/:transaction_id",
  scope: "company.read",
  summary: "One filing of a company.",
  record: filingRecord,
  notFound: "filing-history-item-not-found",
  // The company is part of the filter: another company's filing is not found here.
  read: (records, { company_number = "", transaction_id = "" }) =>
    records.fetchOne(filingRecord, { _id: transaction_id, company_number }),
  schema,
  present: presentFiling,
  example: examples["filing-history-item"],
});

// The categories that a category includes besides itself (API reference 7.8).
const INCLUDED: ReadonlyMap<string, readonly string[]> = new Map([
  ["confirmation-statement", ["annual-return"]],
  [
    "incorporation",
    [
      "change-of-constitution",
      "change-of-name",
      "court-order",
      "gazette",
      "reregistration",
      "resolution",
      "restoration",
    ],
  ],
]);

/** Categories with everything they include; an unknown one matches nothing. */
function expandCategories(categories: string[]): string[] {
  return [...new Set(categories.flatMap((category) => [category, ...(INCLUDED.get(category) ?? [])]))];
}

const listSchema = {
  title: "filing-history-list",
  description: "A page of a company's filings, latest first.",
  ...objectWithOptional(["coverage"], {
    coverage: COVERAGE,
    etag: ETAG,
    filing_history_status: enumerationSchema("filing_history_status"),
    items: { type: "array", items: schema },
    items_per_page: { type: "integer", minimum: 1 },
    kind: { const: "filing-history" },
    start_index: COUNT,
    total_count: { ...COUNT, description: "Number of filings in the filtered list." },
  }),
};

export const filingHistory = defineResource({
  name: "filing-history",
  aliases: ["filing-history-list"],
  path: "/company/:company_number/filing-history",
  scope: "company.read",
  summary: "The filings of a company, latest first.",
  record: filingRecord,
  parameters: {
    category: {
      kind: "list",
      description:
        "Categories of filings to list. `confirmation-statement` includes annual returns, `incorporation` includes " +
        "changes of constitution and name, court orders, gazette notices, re-registrations, resolutions and restorations.",
    },
    items_per_page: itemsPerPage({ default: 25, maximum: 100 }),
    start_index: startIndex(),
  },
  // Compat: an unknown company gets an empty list, as from the original today.
  notFound: "filing-history-item-not-found",
  read: async (records, { company_number = "" }, query) => {
    const { category, items_per_page: limit, start_index: skip } = query;
    const filter = { company_number, ...(category.length > 0 && { category: expandCategories(category) }) };
    const { items: filings, counts } = await fetchCounted({
      ...{ skip, limit },
      fetchPage: () => records.fetchPage(filingRecord, { filter, sort: [["filing_order", 1]], skip, limit }),
      countItems: ({ length: total }) => ({ total }),
      fetchCounts: async () => ({ total: await records.count(filingRecord, filter) }),
    });
    return { company_number, filings, total: counts.total, limit, skip };
  },
  hasRecords: async ({ total, company_number }, records) =>
    total > 0 || (await records.count(filingRecord, { company_number })) > 0,
  schema: listSchema,
  present: ({ company_number, filings, total, limit, skip }) => ({
    etag: contentHash([company_number, total, filings.map(({ etag }) => etag)]),
    filing_history_status: filingHistoryStatusOf(company_number),
    items: filings.map(presentFiling),
    items_per_page: limit,
    kind: "filing-history",
    start_index: skip,
    total_count: total,
  }),
  example: examples["filing-history"],
});

type Status = string | ((number: number) => string);

const AVAILABLE = "filing-history-available";

const STATUS_BY_PREFIX: ReadonlyMap<string, Status> = new Map<string, Status>([
  ...byPrefix({
    // From part 6 of the API reference, which only assumes the status of ZC, SZ, NZ and RS.
    [AVAILABLE]: "SC NI R0 OC SO NC SG FC SF NF BR OE GE GS GN SE ES EN FE CE CS ZC SZ NZ",
    "filing-history-not-available-industrial-and-provident-society": "IP RS",
    "filing-history-not-available-scottish-industrial-and-provident-society": "SP",
    "filing-history-not-available-northern-ireland-industrial-and-provident-society": "NP",
    "filing-history-not-available-northern-ireland-other-industrial-and-provident-society": "NO",
    "filing-history-not-available-royal-charter": "RC SR NR",
    "filing-history-not-available-investment-company-with-variable-capital": "IC SI NV",
    "filing-history-not-available-protected-cell-company": "PC",
  }),
  ["LP", partnershipFrom(3370, 15997)],
  ["SL", partnershipFrom(1083, 16384)],
  ["NL", partnershipFrom(11, 76)],
  ["AC", assuranceFrom(1839)],
  ["SA", assuranceFrom(144518)],
  ["NA", assuranceFrom(0)],
]);

// Letters after the digits occur in numbers of societies, `IP12345R`, and one before them in those of LLPs, `OCP00001`.
const AFTER_PREFIX = /^[A-Z]?(\d{1,6})[A-Z]{0,3}$/;

/** The status for a company number in canonical form, whether or not the company is known. */
export function filingHistoryStatusOf(companyNumber: string): string {
  if (/^\d{8}$/.test(companyNumber)) return AVAILABLE;
  const [, prefix = "", rest = ""] = /^(R0|[A-Z]{2})(.{6})$/.exec(companyNumber) ?? [];
  const digits = AFTER_PREFIX.exec(rest)?.[1];
  if (digits === undefined) return "filing-history-not-available-invalid-format";
  const status = STATUS_BY_PREFIX.get(prefix) ?? "filing-history-not-available-unknown-prefix";
  return typeof status === "string" ? status : status(Number(digits));
}

/** Limited partnerships: the register has filings since 1988, with images since 2014, and so from these numbers on. */
function partnershipFrom(first1988: number, first2014: number): Status {
  return (number) => {
    if (number >= first2014) return "filing-history-available-limited-partnership-from-2014";
    if (number >= first1988) return "filing-history-available-no-images-limited-partnership-from-1988";
    return "filing-history-not-available-limited-partnership-before-1988";
  };
}

/** Assurance companies: another register has their filings since 2004, and so from this number on. */
function assuranceFrom(first2004: number): Status {
  return (number) =>
    number >= first2004
      ? "filing-history-not-available-assurance-company-from-2004"
      : "filing-history-available-assurance-company-before-2004";
}
