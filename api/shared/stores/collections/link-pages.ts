/**
 * Stores which companies have records behind each link of their profile, so that one read finds all links of a
 * profile. A page lists the companies with one link, for up to ten thousand company numbers. Ingest follows the change
 * log and writes the pages (`ingest/links`).
 */

import type { DocumentStore } from "../mongodb/documents.ts";
import { NumberSet } from "./number-set.ts";

export const LINK_PAGES = "company_links";

// Limit: a page covers the numbers that begin with the same four characters: at most ten thousand if the others are
// digits, in 1.7 kB. A large register has some 2,000 pages for a link; a batch in no order touches hundreds.
const NAME_LENGTH = 4;

/** A page. It has the numbers without their first four characters. */
export interface LinkPage {
  _id: string;
  /** Revision issued before its content was read. A page never replaces one of a higher version. */
  version: number;
  /** Numbers of companies with a record. */
  stored: NumberSet;
  /** Numbers of companies that had a record and have none any more. */
  emptied: NumberSet;
}

type Found = Record<string, unknown>;

/** The id of the page for a company and link, and the rest of the company's number, which is listed on it. */
export function placeOf(companyNumber: string, link: string): { name: string; rest: string } {
  const name = `${companyNumber.slice(0, NAME_LENGTH)}/${link}`;
  return { name, rest: companyNumber.slice(NAME_LENGTH) };
}

/** The full numbers of the companies on a page that have a record. */
export function* companiesOn({ _id, stored }: LinkPage): Generator<string> {
  for (const rest of stored) yield _id.slice(0, NAME_LENGTH) + rest;
}

/** The link of a page. */
export function linkOf({ _id }: LinkPage): string {
  return _id.slice(NAME_LENGTH + 1);
}

/** The links, among these, that a company has. */
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

/** The existing pages with these ids. */
export async function fetchPages(
  documents: Pick<DocumentStore, "fetchAll">,
  names: readonly string[],
): Promise<LinkPage[]> {
  return names.length > 0 ? (await documents.fetchAll(LINK_PAGES, { _id: names })).map(fromForm) : [];
}

/** Writes pages, except over those of a higher version. `known`: ids of pages that exist. */
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

/** Reads a stored page. */
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
