/** Owns the common members of answers that are lists, as pages read them. */

/** The coverage of a list; absent from other answers. */
export interface ListCoverage {
  loaded: boolean;
  as_of: string | null;
}

export interface List<Item> {
  items: Item[];
  start_index: number;
  items_per_page: number;
  coverage?: ListCoverage;
}

export interface Counted {
  active_count: number;
  total_results: number;
}
