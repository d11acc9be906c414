/** Owns the fragments that the schemas of many resources share. */

/** A calendar date, `YYYY-MM-DD`. */
export const DATE = { type: "string", format: "date" } as const;

/** An ETag as resources carry it: SHA-1 shaped. */
export const ETAG = { type: "string", pattern: "^[0-9a-f]{40}$" } as const;

/** What a list says of itself beyond the contract: whether an empty one is an answer. */
export const COVERAGE = {
  type: "object",
  description:
    "Whether records of this kind have been loaded for this company. Not part of the original API.",
  additionalProperties: false,
  required: ["held", "as_of"],
  properties: {
    held: {
      type: "boolean",
      description: "False: none have been loaded, so that an empty list does not say that there are none.",
    },
    as_of: {
      type: ["string", "null"],
      format: "date",
      description: "The day that the data show; null where no source tells one.",
    },
  },
} as const;
