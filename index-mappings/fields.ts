/** Owns the kinds of fields in the mappings of the search indices. */

/** An exact value, by which results can be sorted and counted as well. */
export const KEYWORD = { type: "keyword" };
/** One that is only asked for: without a list of its values by document it takes less room. */
export const ASKED = { type: "keyword", doc_values: false };
/** Words, of which only counts whether a text has them. */
export const WORDS = { type: "text", analyzer: "whitespace", norms: false, index_options: "docs" };
/** The same for words that are being typed. */
export const TYPED_WORDS = { ...WORDS, index_prefixes: { min_chars: 1, max_chars: 10 } };
export const DAY = { type: "date" };
