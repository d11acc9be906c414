/** Owns which parts of a list are read: none behind its end, and as many as it takes for a condition that no index has. */

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

/**
 * Reads a page of a list of so many items; none behind the end, to which the store would walk. The first page does not wait for
 * the count.
 */
export async function fetchWithin<Item>(
  total: number | Promise<number>,
  skip: number,
  fetch: () => Promise<Item[]>,
): Promise<Item[]> {
  return skip > 0 && skip >= (await total) ? [] : fetch();
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
