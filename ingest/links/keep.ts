/**
 * Stores which links each company profile shows (`shared/stores/collections/link-pages.ts`), following the change log.
 *
 * A written change says which companies its records belong to; no record is read for these. Where a change has removed
 * a record, or was interrupted, records are read. The change that removes a record may come before the change that made
 * it, so records are also read before a link comes back that was stored as empty.
 */
import type { Stores } from "../../api/shared/stores/index.ts";
import {
  fetchPages,
  placeOf,
  writePages,
  type LinkPage,
} from "../../api/shared/stores/collections/link-pages.ts";
import { NumberSet } from "../../api/shared/stores/collections/number-set.ts";
import { isTombstone } from "../../api/shared/definitions/define-record.ts";
import {
  companiesOf,
  fetchCompaniesWith,
  linkSources,
  recordLinks,
  type RecordLink,
} from "../../api/resources/company-profile/links.ts";
import { drawRevision } from "../history/revisions.ts";
import type { Change } from "../log/changes.ts";
import type { Companies } from "./note.ts";

// Limit: pages in memory, some 3 kB each in a full register.
const PAGES_AT_ONCE = 2_000;
// Limit: companies whose records are looked up at once.
const ASKED_AT_ONCE = 500;

/** A page's link, and what changes say about the companies on the page. */
interface PageNotes {
  link: RecordLink;
  /** By company number. `doubtful`: the records behind the link must be read. */
  claims: Map<string, "made" | "doubtful">;
}

type Log = Pick<Stores, "redis"> & { mongo: Pick<Stores["mongo"], "records" | "documents"> };

/** Applies changes, in order. Safe to repeat. */
export async function keepLinks(stores: Log, changes: readonly Change[]): Promise<void> {
  const pages = new Map<string, PageNotes>();
  for (const change of changes) {
    const { state, links } = change;
    if (state === "written" && links) addNotes(pages, links.made, "made");
    else addNotes(pages, await fetchTouched(stores.mongo, change), "doubtful");
    addNotes(pages, links?.left, "doubtful");
  }
  const all = [...pages].sort(([one], [other]) => (one < other ? -1 : 1));
  for (let at = 0; at < all.length; at += PAGES_AT_ONCE)
    await keepPages(stores, new Map(all.slice(at, at + PAGES_AT_ONCE)));
}

/** Adds notes. `doubtful` stays whatever follows: the records, read after all notes, decide. */
function addNotes(
  pages: Map<string, PageNotes>,
  companies: Companies = {},
  claim: "made" | "doubtful",
): void {
  for (const [link, numbers] of Object.entries(companies) as [RecordLink, string[]][]) {
    for (const number of numbers) {
      const { name } = placeOf(number, link);
      const notes: PageNotes = pages.get(name) ?? { link, claims: new Map() };
      if (notes.claims.get(number) !== "doubtful") notes.claims.set(number, claim);
      pages.set(name, notes);
    }
  }
}

const COMPANY = /^\/company\/([^/]+)/;

/** The companies of all records that a change may have written. */
async function fetchTouched({ records }: Log["mongo"], { ids }: Change): Promise<Companies> {
  const touched: Companies = {};
  for (const source of linkSources) {
    const { link, record, field } = source;
    const stored = await records.fetchStored(record, ids[record.collection] ?? []);
    const gone = stored.flatMap((item) => {
      if (!isTombstone(item)) return [];
      return (field === "_id" ? item._id : COMPANY.exec(item.address?.uri ?? "")?.[1]) ?? [];
    });
    touched[link] = [...(touched[link] ?? []), ...companiesOf(source, stored), ...gone];
  }
  return touched;
}

async function keepPages({ mongo, redis }: Log, notes: ReadonlyMap<string, PageNotes>): Promise<void> {
  // Drawn before anything is read: a process that reads later, and so knows more, has a higher one.
  const version = await drawRevision({ mongo, redis });
  const found = await fetchPages(mongo.documents, [...notes.keys()]);
  const pages = new Map(found.map((page) => [page._id, page]));
  const changed = new Set<LinkPage>();
  const mark = (number: string, link: RecordLink, hasRecord: boolean) => {
    const { name, rest } = placeOf(number, link);
    const page = pages.get(name) ?? { _id: name, version, stored: new NumberSet(), emptied: new NumberSet() };
    const [now, before] = hasRecord ? [page.stored, page.emptied] : [page.emptied, page.stored];
    now.add(rest);
    before.delete(rest);
    pages.set(name, page);
    changed.add(page);
  };
  const doubts = new Map<RecordLink, string[]>(recordLinks.map((link) => [link, []]));
  for (const [name, { link, claims }] of notes) {
    const page = pages.get(name);
    for (const [number, claim] of claims) {
      const { rest } = placeOf(number, link);
      if (claim === "doubtful" || page?.emptied.has(rest)) doubts.get(link)?.push(number);
      else if (!page?.stored.has(rest)) mark(number, link, true);
    }
  }
  for (const [link, numbers] of doubts) {
    const stored = await fetchCompaniesBehind(mongo, link, numbers);
    for (const number of numbers) mark(number, link, stored.has(number));
  }
  const written = [...changed].map((page) => ({ ...page, version }));
  await writePages(mongo.documents, written, new Set(found.map(({ _id }) => _id)));
}

/** Those of these companies that have a record behind this link. */
export async function fetchCompaniesBehind(
  { records }: Log["mongo"],
  link: RecordLink,
  numbers: readonly string[],
) {
  const stored = new Set<string>();
  for (let at = 0; at < numbers.length; at += ASKED_AT_ONCE)
    for (const number of await fetchCompaniesWith(records, link, numbers.slice(at, at + ASKED_AT_ONCE)))
      stored.add(number);
  return stored;
}
