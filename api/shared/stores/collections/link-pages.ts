/**
 * Owns what is kept of which companies have records behind a link of their profile, so that a profile knows all its links
 * by one read: of each link a page for ten thousand company numbers. Ingest writes them (`ingest/links`), following the
 * change log.
 */

import type { DocumentStore } from "../mongodb/documents.ts";
import { NumberSet } from "./number-set.ts";

export const LINK_PAGES = "company_links";

// Limit: a page is of the numbers that begin with the same four signs, ten thousand at most where the others are digits:
// 1.7 kB. A large register has some 2,000 pages of a link, of which a batch in no order touches hundreds.
const NAME_LENGTH = 4;

/** A page. Numbers stand in it without the signs that they begin with. */
export interface LinkPage {
  _id: string;
  /** Taken before its content was read: a page never replaces one of a higher version. */
  version: number;
  /** Numbers of companies with a record. */
  stored: NumberSet;
  /** Numbers of companies that had a record and have none now. */
  emptied: NumberSet;
}

type Found = Record<string, unknown>;

/** The name of the page that has a company's number, and what of the number stands on it. */
export function placeOf(companyNumber: string, link: string): { name: string; rest: string } {
  const name = `${companyNumber.slice(0, NAME_LENGTH)}/${link}`;
  return { name, rest: companyNumber.slice(NAME_LENGTH) };
}

/** The numbers that a page says there is a record of. */
export function* companiesOn({ _id, stored }: LinkPage): Generator<string> {
  for (const rest of stored) yield _id.slice(0, NAME_LENGTH) + rest;
}

/** The link that a page is of. */
export function linkOf({ _id }: LinkPage): string {
  return _id.slice(NAME_LENGTH + 1);
}

/** Those of these links that a company has. */
export async function fetchStoredLinks<Link extends string>(
  fetchPages: (names: readonly string[]) => Promise<Found[]>,
  companyNumber: string,
  links: readonly Link[],
): Promise<Link[]> {
  const names = links.map((link) => placeOf(companyNumber, link).name);
  const found = await fetchPages(names);
  const rest = companyNumber.slice(NAME_LENGTH);
  const linked = new Set(found.flatMap((page) => (toNumbers(page.stored).has(rest) ? page._id : [])));
  return links.filter((_link, at) => linked.has(names[at]));
}

/** The pages of these names that are there. */
export async function fetchPages(
  documents: Pick<DocumentStore, "fetchAll">,
  names: readonly string[],
): Promise<LinkPage[]> {
  return names.length > 0 ? (await documents.fetchAll(LINK_PAGES, { _id: names })).map(fromForm) : [];
}

/** Writes pages over those of a lower version. `known`: names of pages that are there. */
export function writePages(
  documents: Pick<DocumentStore, "raise">,
  pages: readonly LinkPage[],
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  const forms = pages.map(({ stored, emptied, ...page }) => {
    return { ...page, stored: stored.toText(), emptied: emptied.toText() };
  });
  return documents.raise(LINK_PAGES, forms, { rank: "version", known });
}

/** A page as it is stored. */
export function fromForm({ _id, version, stored, emptied }: Found): LinkPage {
  return {
    _id: String(_id),
    version: Number(version),
    stored: toNumbers(stored),
    emptied: toNumbers(emptied),
  };
}

function toNumbers(text: unknown): NumberSet {
  return NumberSet.fromText(typeof text === "string" ? text : "");
}
