/** Owns the version of the name rules, which each index records in its metadata. */

/**
 * Raised with any change to what a name becomes. Index and query must agree: an index built under another
 * version is not searched, it is built again.
 */
export const NAMES_VERSION = 5;
