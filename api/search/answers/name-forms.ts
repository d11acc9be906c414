/** The forms of names and queries that are compared to find the name that matched; company names are read here. */
import {
  type EndingClass,
  type EndingReading,
  readHalfTyped,
  readMisspelt,
  parseCompanyName,
  parseQueryNumber,
} from "../../../index-mappings/names/company-name.ts";
import { mostDistinctiveWords } from "../reading/common-words.ts";
import { readCompanyText } from "../reading/company.ts";
import { hasFacts } from "../reading/facts.ts";

/** The forms of a name that show how it matches a query. */
export interface NameForms {
  words: string[];
  /** The words without breaks. */
  key: string;
  end: EndingClass;
}

/** The forms of a query, read once for all items of a page. */
export interface QueryForms extends NameForms {
  /** Reads a name of an item that is compared with the query. */
  read: (name: string) => NameForms;
  /** The company number, if the query is one and not a name. */
  number: string | null;
  /** Readings in which the last words of the query begin a legal ending. */
  halfTyped: EndingReading[];
  /** True for a person's name, in which a single letter matches a word that begins with it. */
  isPerson?: boolean;
  /** Readings with a misspelt legal ending. Slow, so call it only after all stricter comparisons have failed. */
  misspelt: () => EndingReading[];
  /** The words that were read in the query; most of them must be, or nearly be, in a name or its address. */
  sought: () => Sought;
  /** True if the query has a number, a postcode or a date of birth beside the name. Called only for suggestions. */
  hasFacts: () => boolean;
}

/** The words that are looked for. */
interface Sought {
  words: string[];
  /** Those words of which a name must have at least one. */
  distinctive: string[];
}

/** Reads the name of a company or a body. */
function companyForms(text: string): NameForms {
  const { words, key, end } = parseCompanyName(text);
  return { words, key, end };
}

/** Reads a query for a company or a body. */
export function companyQueryForms(q: string): QueryForms {
  const name = parseCompanyName(q);
  const { words, key, end } = name;
  return {
    words,
    key,
    end,
    read: companyForms,
    number: parseQueryNumber(q),
    halfTyped: readHalfTyped(name),
    misspelt: once(() => readMisspelt(name)),
    sought: once(() => withDistinctive(readCompanyText(q).words)),
    hasFacts: () => hasFacts(q, { isPerson: false }),
  };
}

function withDistinctive(words: string[]): Sought {
  return { words, distinctive: mostDistinctiveWords(words) };
}

/** Calls `make` at most once. Reading misspelt endings takes half a millisecond, and most pages do not need it. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
