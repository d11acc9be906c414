/** Owns the envelope of a company's two lists of control: counts, paging, links. */
import { COVERAGE } from "../../core/schemas.ts";
import type { CompanyList } from "./company-list.ts";

const COUNT = { type: "integer", minimum: 0 };

/** JSON Schema of a list; `links` names its possible links besides `self` and `exemptions`, and their paths. */
export function listEnvelope(
  words: { title: string; description: string },
  path: string,
  item: Record<string, unknown>,
  links: Record<string, string>,
): Record<string, unknown> {
  const all = Object.entries({ self: path, exemptions: "exemptions", ...links });
  const link = (last: string) => ({ type: "string", pattern: `^/company/[A-Z0-9]{8}/${last}$` });
  return {
    ...words,
    type: "object",
    additionalProperties: false,
    required: [
      ...["active_count", "ceased_count", "items", "items_per_page", "links", "start_index", "total_results"],
    ],
    properties: {
      active_count: { ...COUNT, description: "Entries of the list that have not ceased." },
      ceased_count: { ...COUNT, description: "Entries of the list that have ceased." },
      total_results: COUNT,
      items_per_page: { type: "integer", minimum: 1 },
      start_index: COUNT,
      links: {
        type: "object",
        additionalProperties: false,
        required: ["self"],
        properties: Object.fromEntries(all.map(([name, last]) => [name, link(last)])),
      },
      items: { type: "array", items: item },
      coverage: COVERAGE,
    },
  };
}

/** Everything but the items. */
export function presentEnvelope(
  list: CompanyList<unknown>,
  path: string,
  links: Record<string, string>,
): Record<string, unknown> {
  const { companyNumber, total, ceased, itemsPerPage, startIndex, isExempt } = list;
  const company = `/company/${companyNumber}`;
  return {
    active_count: total - ceased,
    ceased_count: ceased,
    total_results: total,
    items_per_page: itemsPerPage,
    start_index: startIndex,
    links: {
      self: `${company}/${path}`,
      ...links,
      ...(isExempt ? { exemptions: `${company}/exemptions` } : {}),
    },
  };
}
