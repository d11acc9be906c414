/**
 * Owns what is kept of which kinds of record companies have, so that a profile knows its links by one read: a page for
 * each thousand company numbers, with a letter for each kind. Ingest writes them (`ingest/links`), following the change
 * log; what the letters mean is said in `resources/company-profile/links.ts`.
 */
import type { Budget } from "../budget.ts";
import { fromTexts, toTexts } from "./mongo-form.ts";

/** The collection. */
export const LINK_PAGES = "link_pages";

// Stands in the collection from when on the pages are complete.
const KEPT = "kept";
// Limit: digits of a page's name. A page of a full register holds some 400 companies, 5 kB; a load that tells of all
// companies rewrites each page a few times.
const NAME_LENGTH = 5;
const TEXTS = ["marks"];

/** Letters by company number: a small one for a kind that the company has, a capital for one that it has no more. */
export type Marks = Record<string, string>;

export interface LinkPage {
  _id: string;
  /** Drawn before what it says was read: a page never takes the place of one of a higher version. */
  version: number;
  marks: Marks;
}

type Found = Record<string, unknown>;

/** What of a document store is asked for. */
interface Documents {
  fetchAll: (
    collection: string,
    filter: Record<string, readonly string[]>,
    members?: undefined,
    budget?: Budget,
  ) => Promise<Found[]>;
  putMissing: (collection: string, documents: (Found & { _id: string })[]) => Promise<Set<string>>;
  raise: (collection: string, documents: (Found & { _id: string })[], rank: string) => Promise<void>;
}

/** The name of the page that a company stands on. */
export function pageOf(companyNumber: string): string {
  return companyNumber.slice(0, NAME_LENGTH);
}

/** A company's letters; null while the pages are not complete, so that the records themselves must be asked. */
export async function fetchMarks(
  documents: Pick<Documents, "fetchAll">,
  companyNumber: string,
  budget?: Budget,
): Promise<string | null> {
  const found = await documents.fetchAll(
    LINK_PAGES,
    { _id: [pageOf(companyNumber), KEPT] },
    undefined,
    budget,
  );
  if (!found.some(({ _id }) => _id === KEPT)) return null;
  const page = found.find(({ _id }) => _id !== KEPT);
  return page ? (fromTexts<LinkPage>(page, TEXTS).marks[companyNumber] ?? "") : "";
}

/** The pages of these names that are there. */
export async function fetchPages(
  documents: Pick<Documents, "fetchAll">,
  names: readonly string[],
): Promise<LinkPage[]> {
  const found = await documents.fetchAll(LINK_PAGES, { _id: names });
  return found.map((page) => fromTexts<LinkPage>(page, TEXTS));
}

/** Writes pages over those of a lower version. */
export function writePages(documents: Pick<Documents, "raise">, pages: readonly LinkPage[]): Promise<void> {
  const forms = pages.map((page) => toTexts(page, TEXTS));
  return documents.raise(LINK_PAGES, forms, "version");
}

/** True when the pages are complete. */
export async function areKept(documents: Pick<Documents, "fetchAll">): Promise<boolean> {
  return (await documents.fetchAll(LINK_PAGES, { _id: [KEPT] })).length > 0;
}

/** Says that the pages are complete, now and from now on. */
export async function markKept(documents: Pick<Documents, "putMissing">): Promise<void> {
  await documents.putMissing(LINK_PAGES, [{ _id: KEPT }]);
}

/** Reads all pages in order, from the name behind `after`; `list` reads some of them. */
export async function* walkPages(
  list: (after: string) => Promise<Found[]>,
): AsyncGenerator<LinkPage[], void> {
  for (let after = ""; ;) {
    const found = await list(after);
    const last = found.at(-1);
    if (!last) return;
    after = String(last._id);
    yield found.filter(({ _id }) => _id !== KEPT).map((page) => fromTexts<LinkPage>(page, TEXTS));
  }
}
