/** Owns the kinds of results that a visitor may choose between: the search of each, and its words. */

export interface Kind {
  /** Value of the parameter `kind`; empty: all kinds. */
  word: string;
  title: string;
  /** What to type into its search box. */
  label: string;
  search:
    | "search-all"
    | "search-companies"
    | "search-officers"
    | "search-persons-with-significant-control"
    | "search-disqualified-officers";
  found: [one: string, many: string];
}

export const ALL: Kind = {
  word: "",
  title: "All",
  label: "Company, number, person or postcode",
  search: "search-all",
  found: ["result", "results"],
};

export const KINDS: readonly Kind[] = [
  ALL,
  {
    word: "company",
    title: "Companies",
    label: "Company, number or postcode",
    search: "search-companies",
    found: ["company", "companies"],
  },
  {
    word: "officer",
    title: "Officers",
    label: "Name of an officer",
    search: "search-officers",
    found: ["officer", "officers"],
  },
  {
    word: "control",
    title: "Control",
    label: "Name of a person or body with control",
    search: "search-persons-with-significant-control",
    found: ["person with control", "persons with control"],
  },
  {
    word: "disqualified",
    title: "Disqualified",
    label: "Name of a disqualified officer",
    search: "search-disqualified-officers",
    found: ["disqualified officer", "disqualified officers"],
  },
];

/** The kind of this word; an unknown one stands for all. */
export function kindOf(word: string): Kind {
  return KINDS.find((kind) => kind.word === word) ?? ALL;
}
