/** The kinds of fields in the mappings of the search indices. */

/** An exact value, by which results can be sorted and counted as well. */
export const KEYWORD = { type: "keyword" };
/** An exact value that is only searched for, not sorted or counted: without doc values it takes less disk space. */
export const SEARCHED_KEYWORD = { type: "keyword", doc_values: false };
/** Words of a text. A search only asks whether the text has a word, so frequencies and positions are not stored. */
export const WORDS = { type: "text", analyzer: "whitespace", norms: false, index_options: "docs" };
/** The same with prefixes, for words that a user is still typing. */
export const TYPED_WORDS = { ...WORDS, index_prefixes: { min_chars: 1, max_chars: 10 } };
export const DAY = { type: "date" };
