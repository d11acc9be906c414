/** Owns what a part of a query is read as: a company's name, and how certain that is. Pure. */
import {
  type CompanyName,
  type EndingClass,
  parseCompanyName,
} from "../../../index-mappings/names/company-name.ts";

/** A part of the query that may be a company's whole name. */
export interface NameReading {
  name: CompanyName;
  /** The other words of the query: usually those of a place. */
  rest: string[];
  /** How many of them must be in the company's address. */
  agreeing: number;
  /** How certain the reading is, from 0 to 1. */
  weight: number;
  /** True where words of the same segment precede it: it may be the end of a longer name. */
  isInside?: boolean;
  /** True for the text before the first comma. */
  isFirst?: boolean;
  /** True for the name in a web or mail address. */
  isDomain?: boolean;
  /** Where its ending is cut off or misspelt: the endings that may be meant, one of which it must have. */
  ends?: EndingClass[];
}

// Limit: words before a name in a sentence.
export const MOST_LEADING_WORDS = 3;

// Tuned: the text before an ending or a marker is most certainly a name; after a mere comma it may be a
// partner's name; a split that only the address confirms is the least certain.
export const CLOSED = 1;
export const CLOSED_LATER = 0.8;
export const STRIPPED = 0.7;
export const FURTHER = 0.7;
export const PROSE = 0.6;
export const SEGMENT = 0.6;
export const UNENDED = 0.55;
export const SPLIT = 0.5;

/** These words as a name that needs no address. */
export function whole(words: string[], weight: number): NameReading {
  return { name: parseCompanyName(words.join(" ")), rest: [], agreeing: 0, weight };
}
