/** Compares the stored links of company profiles with the records behind them, in both directions, and repairs them. */
import type { Stores } from "../../api/shared/stores/index.ts";
import {
  companiesOn,
  fetchPages,
  fromForm,
  LINK_PAGES,
  linkOf,
  placeOf,
} from "../../api/shared/stores/collections/link-pages.ts";
import { readBetween } from "../../api/shared/stores/mongodb/documents.ts";
import {
  companiesOf,
  linkSources,
  recordLinks,
  type RecordLink,
} from "../../api/resources/company-profile/links.ts";
import { fetchCompaniesBehind } from "../links/keep.ts";
import type { Companies } from "../links/note.ts";
import { amendChange, enterChange } from "../log/changes.ts";
import { walkGroups } from "../projection/groups.ts";
import { guardStop, inLots, waitForWorkers, type Observer } from "./observer.ts";

// Sorts after all names of pages, which begin with a digit or a capital.
const END = "~";
const PAGES_AT_ONCE = 200;
// Limit: how many links that differ are in memory; they are checked again together.
const MOST_DOUBTS = 20_000;
// Limit: how many links one change of a repair names.
const LINKS_OF_A_CHANGE = 2_000;

export type LinkComparison = Awaited<ReturnType<typeof compareLinks>>;

interface NamedLink {
  kind: "missing" | "extra";
  /** The company that shows the link. */
  company_number: string;
  link: RecordLink;
}

type Doubt = { link: RecordLink; number: string };

/** Compares them. Differences are checked again once the workers have followed the log. Throws StoppedError. */
export async function compareLinks(
  stores: Stores,
  { observer, isRepair, show }: { observer: Observer; isRepair: boolean; show: number },
) {
  const outcome = { missing: 0, extra: 0, repaired: 0, named: [] as NamedLink[] };
  const shown = { missing: 0, extra: 0 };
  for await (const doubts of inLots(walkDoubts(stores, observer), MOST_DOUBTS)) {
    const found = await confirm(stores, doubts, observer);
    if (isRepair) await requestRepair(stores, found);
    const left = isRepair ? await confirm(stores, found, observer) : found;
    const missing = left.filter(({ hasRecord }) => hasRecord).length;
    outcome.missing += missing;
    outcome.extra += left.length - missing;
    outcome.repaired += found.length - left.length;
    for (const { link, number, hasRecord } of found) {
      const kind = hasRecord ? "missing" : "extra";
      // Counted, since the list may be long.
      if ((shown[kind] += 1) <= show) outcome.named.push({ kind, company_number: number, link });
    }
  }
  return outcome;
}

/** Finds records without a stored link, then stored links without a record. */
async function* walkDoubts({ mongo }: Stores, observer: Observer): AsyncGenerator<Doubt[]> {
  const { onProgress, end } = observer.watch("links of company profiles", 0);
  let done = 0;
  try {
    for (const source of linkSources) {
      const { link, record, field, kinds, counts } = source;
      // Most companies have no parent company. They sort first, and are left out.
      const how = {
        ...(!counts && { members: [field, ...(kinds ? ["kind"] : [])] }),
        ...(field === "parent_company_number" && { after: "" }),
      };
      for await (const groups of walkGroups(mongo, { record, groupBy: field }, how)) {
        guardStop(observer);
        const numbers = [...new Set(groups.flatMap(({ records }) => companiesOf(source, records)))];
        const linked = await fetchLinked(mongo, link, numbers);
        yield numbers.filter((number) => !linked.has(number)).map((number) => ({ link, number }));
        onProgress((done += groups.length));
      }
    }
    const all = { after: "", before: END };
    for await (const found of readBetween(mongo.documents, LINK_PAGES, all, PAGES_AT_ONCE)) {
      guardStop(observer);
      const pages = found.map(fromForm);
      for (const link of recordLinks) {
        const numbers = pages.flatMap((page) => (linkOf(page) === link ? [...companiesOn(page)] : []));
        const stored = await fetchCompaniesBehind(mongo, link, numbers);
        yield numbers.filter((number) => !stored.has(number)).map((number) => ({ link, number }));
      }
    }
  } finally {
    end();
  }
}

/** Those that still differ. `hasRecord`: a record is behind the link. */
async function confirm(stores: Stores, doubts: readonly Doubt[], observer: Observer) {
  const confirmed: (Doubt & { hasRecord: boolean })[] = [];
  if (doubts.length === 0) return confirmed;
  await waitForWorkers(stores, observer);
  for (const link of recordLinks) {
    const numbers = doubts.flatMap((doubt) => (doubt.link === link ? doubt.number : []));
    const linked = await fetchLinked(stores.mongo, link, numbers);
    const stored = await fetchCompaniesBehind(stores.mongo, link, numbers);
    const differing = [...new Set(numbers)].filter((number) => linked.has(number) !== stored.has(number));
    confirmed.push(...differing.map((number) => ({ link, number, hasRecord: stored.has(number) })));
  }
  return confirmed;
}

/** Companies, these and others on the same pages, whose stored page says that a record is behind the link. */
async function fetchLinked({ documents }: Stores["mongo"], link: RecordLink, numbers: readonly string[]) {
  const names = new Set(numbers.map((number) => placeOf(number, link).name));
  const pages = await fetchPages(documents, [...names]);
  return new Set(pages.flatMap((page) => [...companiesOn(page)]));
}

/** Enters changes that make the follower read the records, since only the follower writes links. */
async function requestRepair(stores: Stores, doubts: readonly Doubt[]): Promise<void> {
  for (let at = 0; at < doubts.length; at += LINKS_OF_A_CHANGE) {
    const left: Companies = {};
    for (const { link, number } of doubts.slice(at, at + LINKS_OF_A_CHANGE)) (left[link] ??= []).push(number);
    const change = await enterChange(stores, { load: "", job: "", ids: {} });
    await amendChange(stores.mongo.documents, change, { state: "written", links: { made: {}, left } });
  }
}
