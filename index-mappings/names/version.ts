/** Owns the version of the name rules, which each index records in its metadata. */

/**
 * Raised with any change to the forms of names. Index and query must agree: an index built under another
 * version is not searched but rebuilt.
 */
export const NAMES_VERSION = 5;
