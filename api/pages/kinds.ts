/** The kinds of results that a visitor can choose: the search for each, and its words. */

/**
 * `word`: the value of the parameter `kind`. `label`: says what to type into the search box. `found`: the words for one
 * result and for several.
 */
export const KINDS = [
  {
    word: "",
    title: "All",
    label: "Company, number, person or postcode",
    search: "search-all",
    found: ["result", "results"],
  },
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
] as const;

export type Kind = (typeof KINDS)[number];

export const ALL: Kind = KINDS[0];

/** The kind with this word; for an unknown word, all kinds. */
export function kindOf(word: string): Kind {
  return KINDS.find((kind) => kind.word === word) ?? ALL;
}
