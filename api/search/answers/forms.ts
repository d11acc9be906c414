/** Owns the forms in which a query and the names of a hit are compared, to see which name matched, and where. */
import type { EndingClass } from "../../../index-mappings/names/endings.ts";
import type { EndingReading } from "../ranking/endings.ts";

/** The parts of a name that are needed to see how it matches a query. */
export interface NameForms {
  words: string[];
  /** The words without breaks. */
  key: string;
  end: EndingClass;
}

/** The same for a query, and the incomplete endings that it may contain. */
export interface QueryForms extends NameForms {
  halfTyped: EndingReading[];
  /** True when a single letter may be the first of a word, beside near spellings. */
  hasInitials?: boolean;
  /** Called when a name matches in no stricter way. */
  misspelt: () => EndingReading[];
}

/** How the names of a hit are read, and the query for them. */
export interface Reading {
  query: QueryForms;
  read: (name: string) => NameForms;
}
