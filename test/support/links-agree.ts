/** Checks that the stored links of company profiles match the records. */
import { expect } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import {
  companiesOn,
  fetchStoredLinks,
  fromForm,
  LINK_PAGES,
} from "../../api/shared/stores/collections/link-pages.ts";
import {
  findLinks,
  linkSources,
  recordLinks,
  type RecordLink,
} from "../../api/resources/company-profile/links.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";

/** Expects the stored links of every company to be those that its records make. Returns the links by company. */
export async function expectLinksAgree({ mongo }: Pick<Stores, "mongo">): Promise<Map<string, RecordLink[]>> {
  // Fetches all pages at once, instead of the pages of one company at a time.
  const pages = await fetchAllPages(mongo);
  const fetchNamed = (names: readonly string[]) =>
    Promise.resolve(names.map((name) => pages.get(name)).filter((page) => page !== undefined));
  const numbers = await fetchNumbers(mongo, [...pages.values()]);
  const found = await findLinks(mongo.records, numbers);
  const stored = await Promise.all(
    numbers.map(async (number) => [number, await fetchStoredLinks(fetchNamed, number, recordLinks)] as const),
  );
  expect(new Map(stored)).toEqual(found);
  return found;
}

type Page = Record<string, unknown>;

/** The stored pages, by name. */
async function fetchAllPages({ documents }: Stores["mongo"]): Promise<Map<string, Page>> {
  const found = await documents.fetchAll(LINK_PAGES, {});
  return new Map(found.map((page) => [String(page._id), page]));
}

/** Numbers of all companies, and of all records that a link points to or pointed to. */
async function fetchNumbers({ documents }: Stores["mongo"], pages: Page[]): Promise<string[]> {
  const numbers = new Set<string>();
  for (const page of pages.map(fromForm))
    for (const number of [...companiesOn(page), ...companiesOn({ ...page, stored: page.emptied })])
      numbers.add(number);
  const fields = [...linkSources, { record: companyRecord, field: "_id" }];
  await Promise.all(
    fields.map(async ({ record, field }) => {
      for (const found of await documents.fetchAll(record.collection, {}, [field])) {
        const number = (found as Record<string, unknown>)[field];
        if (typeof number === "string") numbers.add(number);
      }
    }),
  );
  return [...numbers].sort();
}
