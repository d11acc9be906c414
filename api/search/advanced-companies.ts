/** GET /advanced-search/companies: companies by filters, ordered by name key; and the same as a CSV download. */
import { dropLeadingThe, findEnding } from "../../index-mappings/names/company-name.ts";
import { foldText, joinInitials, splitWords } from "../../index-mappings/names/text.ts";
import {
  describeSic,
  ENDED_STATUSES,
  enumerationLabel,
  enumerationSchema,
} from "../shared/values/enumerations.ts";
import { DATE, objectOf } from "../shared/schemas/schemas.ts";
import { pickMembers } from "../shared/values/members.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { ShownCompany } from "../../index-mappings/companies/index.ts";
import type { QueryValues } from "../shared/schemas/query-parameters.ts";
import {
  addressOf,
  companyMembers,
  companyPageSchema,
  NO_COMPANIES,
  PAGE_START,
  pageMembers,
  pageSize,
  readPage,
  withEtag,
} from "./answers/company-page.ts";
import {
  allOf,
  allWords,
  anyOf,
  buildPage,
  type Clause,
  COMPANY_ORDER,
  inAddress,
  someOf,
} from "./clauses.ts";
import { countLocations, FACETS, facetsSchema } from "./answers/page.ts";
import { CURSOR } from "./cursor.ts";
import { defineDownload, defineSearch, TABLE_PARAMETERS } from "./define-search.ts";
import { fetchInPhases } from "./phases.ts";
import { filterCompanies, filterParameters } from "./company-filters.ts";
import example from "./examples/search-advanced-companies.json" with { type: "json" };
import type { Address } from "../shared/values/address.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";

const NAME = "search-advanced-companies";
const KIND = "search#advanced-search";
const ITEM_KIND = "search-results#company";

/** The members of an address that are shown, in the order of the columns. */
const ADDRESS_MEMBERS = [
  "premises",
  "address_line_1",
  "address_line_2",
  "locality",
  "region",
  "country",
  "postal_code",
] as const satisfies (keyof Address)[];

const parameters = {
  ...filterParameters,
  size: pageSize(5000),
  start_index: PAGE_START,
  cursor: CURSOR,
  facets: FACETS,
} as const;

/** JSON Schema of a company as an item. */
const advancedCompanySchema: JsonSchema = {
  title: "advanced-company-search-item",
  description: "A company that the advanced search found.",
  ...objectOf(["kind", "company_name", "company_number", "company_type", "links"], {
    kind: { const: ITEM_KIND },
    ...companyMembers,
    company_status: enumerationSchema("company_status"),
    company_type: enumerationSchema("company_type"),
    company_subtype: enumerationSchema("company_subtype"),
    date_of_creation: DATE,
    date_of_cessation: DATE,
    registered_office_address: addressOf("advanced-company-address", ADDRESS_MEMBERS),
    sic_codes: { type: "array", items: { type: "string" } },
  }),
};

export const searchAdvancedCompanies = defineSearch({
  name: NAME,
  aliases: ["search-result"],
  path: "/advanced-search/companies",
  summary: "Search companies by name, status, type, nature of business, dates and location.",
  parameters,
  indices: ["companies"],
  fetch: async (ask, values) => {
    const page = { ...readPage(values), facets: values.facets };
    const build = () => buildPage(buildFilter(values), page, COMPANY_ORDER);
    const result = await fetchInPhases(ask, { build, last: "strict" }, { name: NAME, values });
    return countLocations(ask, result, (place) => allOf([buildFilter(values), ...inAddress(place)]));
  },
  notFound: NO_COMPANIES,
  mapResponse: ({ total, hits, facets, next_cursor }) => {
    const items = hits.map(presentAdvancedCompany);
    const [first] = items;
    const more = { ...(facets && { facets }), ...(next_cursor && { next_cursor }) };
    return withEtag({ kind: KIND, ...(first && { top_hit: first }), items, hits: total, ...more });
  },
  schema: companyPageSchema(
    {
      title: "advanced-company-search",
      description: "A page of the companies that match all filters, ordered by name.",
    },
    { const: KIND },
    advancedCompanySchema,
    { ...pageMembers, facets: facetsSchema },
    ["etag", "hits"],
  ),
  example,
  statuses: [404, 416, 422],
});

/** All filters as one clause. Without any filter it matches the whole register. */
function buildFilter(values: QueryValues<typeof filterParameters>): Clause {
  const filter = [
    ...includedWords(values.company_name_includes),
    ...anyOf("subtype", values.company_subtype),
    ...between("created", values.incorporated_from, values.incorporated_to),
    ...between("ceased", values.dissolved_from, values.dissolved_to),
    ...filterCompanies(values),
  ];
  const { joined: excluded } = wordForms(values.company_name_excludes);
  const must_not = excluded.length > 0 ? [{ terms: { name_words: excluded } }] : [];
  return { bool: { filter: filter.length > 0 ? filter : [{ match_all: {} }], must_not } };
}

/**
 * Names that have all words of the text, without its leading THE. The index has initials both joined and split, and
 * each legal ending also in its short form, so the text may use any of these. A text without words matches no name.
 */
function includedWords(text: string | undefined): Clause[] {
  if (!text) return [];
  const { split, joined } = wordForms(text);
  const all = [split, joined].map(dropLeadingThe).flatMap((words) => [words, ...withShortEnding(words)]);
  const forms = new Set(all.map((words) => words.join(" ")));
  return [someOf([...forms].map((form) => allWords("name_words", form.split(" "))))];
}

/** The words with PLC for PUBLIC LIMITED COMPANY. Empty if the ending is one word, or is missing. */
function withShortEnding(words: string[]): string[][] {
  const { end, length } = findEnding(words);
  return length > 1 ? [[...words.slice(0, -length), end]] : [];
}

/** The words of a text, once with initials split and once with initials joined. */
function wordForms(text = ""): { split: string[]; joined: string[] } {
  const folded = foldText(text);
  const split = splitWords(folded);
  return { split, joined: joinInitials(split, folded) };
}

function between(field: string, from: string | undefined, to: string | undefined): Clause[] {
  if (!from && !to) return [];
  return [{ range: { [field]: { ...(from && { gte: from }), ...(to && { lte: to }) } } }];
}

// Tuned: companies per request. More delay other requests while they are written; fewer make more requests.
const DOWNLOADED = 100;

const downloadParameters = {
  ...filterParameters,
  ...TABLE_PARAMETERS,
  descriptions: {
    kind: "boolean",
    description:
      "Add a column after each column of codes, such as `company_status_description`, with the words for the codes.",
  },
} as const;

const COLUMNS = [
  "company_name",
  "company_number",
  "company_status",
  "company_type",
  "company_subtype",
  "date_of_creation",
  "date_of_cessation",
  "sic_codes",
  ...ADDRESS_MEMBERS,
] as const;

// Columns of codes. The words for the codes come from the enumeration of the same name.
const CODED = ["company_status", "company_type", "company_subtype"] as const;
const DESCRIBED: ReadonlySet<string> = new Set([...CODED, "sic_codes"]);

export const downloadCompanies = defineDownload({
  name: "download-companies",
  path: "/advanced-search/companies.csv",
  summary: "Download all companies that the advanced search finds, as a CSV file.",
  parameters: downloadParameters,
  indices: ["companies"],
  buildQuery: (values) => ({
    ...buildPage(buildFilter(values), { start_index: 0, items_per_page: DOWNLOADED }, COMPANY_ORDER),
    track_total_hits: false,
  }),
  columns: ({ descriptions }) => (descriptions ? COLUMNS.flatMap(withDescription) : COLUMNS),
  toRow,
  fileName: "companies.csv",
});

function withDescription(column: string): string[] {
  return DESCRIBED.has(column) ? [column, describe(column)] : [column];
}

function describe(column: string): string {
  return `${column}_description`;
}

/** A row has the members of the search's items. Several SIC codes share one field, separated by spaces. */
function toRow(hit: SearchHit): Record<string, string | undefined> {
  const item = presentAdvancedCompany(hit) as Record<string, string | undefined>; // texts, except the two below
  const address = item.registered_office_address as unknown as Address | undefined;
  const codes = item.sic_codes as unknown as string[] | undefined;
  const descriptions: Record<string, string | undefined> = Object.fromEntries(
    CODED.map((column) => [describe(column), enumerationLabel(column, item[column] ?? "")]),
  );
  return {
    ...item,
    ...descriptions,
    sic_codes: codes?.join(" "),
    // Each description follows its code, since a description may itself contain a semicolon.
    [describe("sic_codes")]: codes?.map((code) => `${code} ${describeSic(code)}`.trim()).join("; "),
    ...address,
  };
}

/** A company as an item. */
function presentAdvancedCompany(hit: SearchHit): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const { type, subtype, registered_office_address: address, date_of_cessation } = company;
  // Compat: companies of other statuses are shown without a date of cessation, even if the register has one.
  const hasEnded = ENDED_STATUSES.has(company.company_status ?? "");
  return {
    kind: ITEM_KIND,
    company_name: company.company_name,
    company_number: hit.id,
    ...pickMembers(company, ["company_status"]),
    company_type: type,
    ...(subtype ? { company_subtype: subtype } : {}),
    ...pickMembers(company, ["date_of_creation"]),
    ...(hasEnded && date_of_cessation ? { date_of_cessation } : {}),
    ...(address ? { registered_office_address: pickMembers(address, ADDRESS_MEMBERS) } : {}),
    ...pickMembers(company, ["sic_codes"]),
    links: { company_profile: `/company/${hit.id}` },
  };
}
