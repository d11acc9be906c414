/** Owns what answers that are lists share, as pages read it. */

/** Which records of a list are held; absent from what is not a list. */
export interface Held {
  held: boolean;
  as_of: string | null;
}

export interface List<Item> {
  items: Item[];
  start_index: number;
  items_per_page: number;
  coverage?: Held;
}

export interface Counted {
  active_count: number;
  total_results: number;
}
