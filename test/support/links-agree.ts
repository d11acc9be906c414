/** Owns the look whether the links that profiles show are those of the records. */
import { expect } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companiesOn, LINK_PAGES, walkPages } from "../../api/shared/stores/collections/link-pages.ts";
import {
  findLinks,
  linkSources,
  recordLinks,
  type RecordLink,
} from "../../api/resources/company-profile/links.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";

/** Expects of every company that any record names that its links are kept, and right. Gives those that there are. */
export async function expectLinksAgree({ mongo }: Pick<Stores, "mongo">): Promise<Map<string, RecordLink[]>> {
  const numbers = await fetchNumbers(mongo);
  const stored = await findLinks(mongo.records, numbers);
  const kept = new Map<string, readonly string[]>();
  for (const number of numbers) {
    kept.set(number, await mongo.records.fetchStoredLinks(number, recordLinks));
  }
  expect(kept).toEqual(stored);
  return stored;
}

/** Of companies, and of all that is or was behind a link. */
async function fetchNumbers({ documents }: Stores["mongo"]): Promise<string[]> {
  const companies = await documents.fetchAll(companyRecord.collection, {}, ["_id"]);
  const numbers = new Set(companies.map(({ _id }) => String(_id)));
  for await (const pages of walkPages((after) =>
    documents.listBetween(LINK_PAGES, { after, before: "~" }, 100),
  ))
    for (const number of pages.flatMap((page) => [
      ...companiesOn(page),
      ...companiesOn({ ...page, stored: page.emptied }),
    ]))
      numbers.add(number);
  for (const { record, field } of linkSources) {
    for (const found of await documents.fetchAll(record.collection, {}, [field])) {
      const number = (found as Record<string, unknown>)[field];
      if (typeof number === "string") numbers.add(number);
    }
  }
  return [...numbers].sort();
}
