/** Owns the parts of names and queries that are compared to see which name matched, and how those of companies are read. */
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

/** The parts of a name that are needed to see how it matches a query. */
export interface NameForms {
  words: string[];
  /** The words without breaks. */
  key: string;
  end: EndingClass;
}

/** The parts of a query that names are compared with, read once for all items of a page, and how names are read for it. */
export interface QueryForms extends NameForms {
  read: (name: string) => NameForms;
  /** The company number that it is instead of a name. */
  number: string | null;
  halfTyped: EndingReading[];
  /** True for a person, of whom a single letter may be the first of a word, beside near spellings. */
  isPerson?: boolean;
  /** The endings with a slip that it may contain. A call takes time: it is made once all stricter comparisons have failed. */
  misspelt: () => EndingReading[];
  /** The words that were read in it, most of which a name or its address may have, misspelt. */
  sought: () => Sought;
  /** True where it has a number, a postcode or a date of birth beside the name. Called for suggestions only. */
  hasFacts: () => boolean;
}

/** Words that are looked for, and those of them of which a name must have one. */
interface Sought {
  words: string[];
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

/** Reading an ending as misspelt takes half a millisecond, which most pages of results do not need. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
