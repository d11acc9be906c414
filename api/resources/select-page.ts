/**
 * Owns which parts of a list are read: none behind its end, no counts where the page is the whole list, and as many items as it
 * takes for a condition that no index has.
 */

/** A page of the items that are selected. */
interface Selection<Item> {
  /** Reads the whole list in its order. */
  fetch: (skip: number, limit: number) => Promise<Item[]>;
  select: (items: Item[]) => Item[] | Promise<Item[]>;
  skip: number;
  limit: number;
  /** Reading ends once the page has so many items, although it may get more of what was read; absent: once it is full. */
  enough?: number;
}

/** What part of a list is shown. */
interface Slice {
  skip: number;
  limit: number;
}

/** A page, and counts of the whole list, of which `total` is its length. */
interface Counted<Item, Counts> {
  items: Item[];
  counts: Counts;
}

interface CountedList<Item, Counts> extends Slice {
  fetchPage: () => Promise<Item[]>;
  /** The counts of a list that has these items and no others. */
  countItems: (items: Item[]) => Counts;
  fetchCounts: () => Promise<Counts>;
}

/**
 * Reads a page of a list and its counts. Where the page is the whole list, they follow from its items, and are true of these
 * while others arrive. Behind the end, to which the store would walk, no page is read.
 */
export async function fetchCounted<Item, Counts extends { total: number }>(
  list: CountedList<Item, Counts>,
): Promise<Counted<Item, Counts>> {
  const { skip, limit, fetchPage, countItems, fetchCounts } = list;
  return readAgreeing(list, async () => {
    if (skip > 0) {
      const counts = await fetchCounts();
      return { counts, items: skip < counts.total ? await fetchPage() : [] };
    }
    const items = await fetchPage();
    return { items, counts: items.length < limit ? countItems(items) : await fetchCounts() };
  });
}

/** Page and counts are several reads, between which the list may change: those that cannot both be true are read once more, unless
 * the counts are not exact. */
export async function readAgreeing<Read extends { items: unknown[]; counts: { total: number } }>(
  slice: Slice,
  read: () => Promise<Read>,
  isExact: (read: Read) => boolean = () => true,
): Promise<Read> {
  const first = await read();
  return !isExact(first) || agree(slice, first) ? first : read();
}

function agree({ skip, limit }: Slice, { items, counts }: Counted<unknown, { total: number }>): boolean {
  const { total } = counts;
  if (Object.values(counts).some((count) => typeof count === "number" && count < 0)) return false;
  if (items.length === 0) return total <= skip;
  const end = skip + items.length;
  return items.length < limit ? end === total : end <= total;
}

// How many items are read at a time.
const STRIDE = 200;

/**
 * Reads the list from its start until the page has enough items, at least one stride; not at all where `limit` is not above 0.
 * Without as many items it reads the whole list.
 */
export async function fetchSelected<Item>(selection: Selection<Item>): Promise<Item[]> {
  const { fetch, select, skip, limit, enough = limit } = selection;
  if (limit <= 0) return [];
  const page: Item[] = [];
  let passed = 0;
  for (let start = 0; start === 0 || page.length < Math.min(limit, enough); start += STRIDE) {
    const items = await fetch(start, STRIDE);
    const selected = await select(items);
    page.push(...selected.slice(Math.max(skip - passed, 0)));
    passed += selected.length;
    if (items.length < STRIDE) break;
  }
  return page.slice(0, limit);
}
