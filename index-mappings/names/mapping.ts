/** Owns the nested field `names` of the mappings: how the engine indexes the entries that `entries.ts` builds. */
import companyFields from "./company-fields.json" with { type: "json" };
import personFields from "./person-fields.json" with { type: "json" };

/**
 * Raised with any change to the forms of names. Index and query must agree: an index built under another
 * version is not searched but rebuilt.
 */
export const NAMES_VERSION = 6;

/** Names of companies and bodies. */
export const companyNames = { type: "nested", properties: companyFields };

/** Names of people, and of bodies among them. */
export const personNames = { type: "nested", properties: { ...companyFields, ...personFields } };

/** The mappings of an index that is searched by names: its own fields, the names, and the version of their rules. */
export function withNames<M extends { properties: object }>(
  mapping: M,
  names: typeof companyNames,
): Record<string, unknown> {
  return {
    ...mapping,
    properties: { ...mapping.properties, names },
    _meta: { names_version: NAMES_VERSION },
  };
}
