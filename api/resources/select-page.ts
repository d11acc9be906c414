/**
 * Reads pages of lists with as few queries as possible: no page beyond the end, and no counts when the page is the
 * whole list. Where no index can apply a condition, reads and filters the list until the page is full.
 */

/** A page of those items of a list that `select` keeps. */
interface Selection<Item> {
  /** Reads the whole list in its order. */
  fetch: (skip: number, limit: number) => Promise<Item[]>;
  select: (items: Item[]) => Item[] | Promise<Item[]>;
  skip: number;
  limit: number;
  /** Reading stops once the page has this many items; others that were read still fill it. Default: `limit`. */
  enough?: number;
}

/** The part of a list that is shown. */
interface Slice {
  skip: number;
  limit: number;
}

/** A page, and counts of the whole list; the count `total` is the length of the list. */
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
 * Reads a page of a list, and the counts of the whole list. A first page that is not full is the whole list: its items
 * give the counts, so both agree even while records are written. A page beyond the end is not read, because the store
 * would walk through the whole list to reach it.
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

/**
 * Reads a page and its counts once more if the two contradict each other: they are separate reads, and the list may
 * change in between. Where the counts are not exact, a second read would not help.
 */
export async function readAgreeing<Read extends { items: unknown[]; counts: { total: number } }>(
  slice: Slice,
  read: () => Promise<Read>,
  isExact: (read: Read) => boolean = () => true,
): Promise<Read> {
  const first = await read();
  return !isExact(first) || agree(slice, first) ? first : read();
}

/** Whether page and counts can be true of one state of the list. */
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
 * Reads the list from its start, a stride at a time, until the page has enough items or the list ends. Reads at least
 * one stride, or nothing if `limit` is 0 or negative.
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
