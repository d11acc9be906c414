/** Owns the fragments that the schemas of many resources share. */

/** A calendar date, `YYYY-MM-DD`. */
export const DATE = { type: "string", format: "date" } as const;

/** An ETag as resources carry it: SHA-1 shaped. */
export const ETAG = { type: "string", pattern: "^[0-9a-f]{40}$" } as const;
