/** The answers that operations share in OpenAPI: refusals, errors, and the schemas of their bodies. */

const TEXT = { type: "string" };

export const sharedHeaders = {
  "X-Request-Id": {
    description: "Id of the request, also in the log; a client may send its own.",
    schema: TEXT,
  },
  "Service-Expiry-Date": {
    description: "For a deprecated version: `<date>; rel=<media type>; version=<n>`, the day it ends.",
    schema: TEXT,
  },
  "X-Ratelimit-Limit": {
    description: "Calls that the application (or, without a key, the address) has in a window.",
    schema: TEXT,
  },
  "X-Ratelimit-Remain": { description: "Remaining calls.", schema: TEXT },
  "X-Ratelimit-Reset": { description: "When the window ends, in seconds since 1970.", schema: TEXT },
  "X-Ratelimit-Window": { description: "Length of a window: `5m`.", schema: TEXT },
  ETag: { description: "Send it back as If-None-Match.", schema: TEXT },
} as const;

const LIMIT = ["X-Ratelimit-Limit", "X-Ratelimit-Remain", "X-Ratelimit-Reset", "X-Ratelimit-Window"] as const;
const REQUEST_ID = referToHeaders("X-Request-Id", ...LIMIT);

const ERROR = {
  title: "error",
  description: "One reason why a request was refused.",
  type: "object",
  required: ["type", "error"],
  properties: {
    type: {
      enum: ["ch:service", "ch:validation"],
      description: "Whether the service refused the request, or one of its values is wrong.",
    },
    error: { type: "string", description: "A code that programs can test." },
    location_type: {
      enum: ["json-path", "query-parameter"],
      description: "What kind of place `location` is.",
    },
    location: { type: "string", description: "Name of the wrong parameter." },
    error_values: {
      type: "object",
      additionalProperties: { type: "string" },
      description:
        "The wrong values, by name of parameter. For a text that is too long also `max_length`, the most characters.",
    },
  },
};

const ERROR_BODY = {
  description: "Why a request was refused.",
  type: "object",
  required: ["errors"],
  properties: {
    errors: { type: "array", items: ERROR, description: "At least one reason." },
  },
};

/** Schemas of the bodies of refusals and errors, by component name. */
export const errorSchemas = {
  errors: ERROR_BODY,
  unauthorised: {
    description: "Why a request without a valid key or token was refused.",
    type: "object",
    required: ["error", "type"],
    properties: {
      error: {
        enum: ["Empty Authorization header", "Invalid Authorization"],
        description: "Whether the key or token is missing or invalid.",
      },
      type: { const: "ch:service", description: "The service refused the request." },
    },
  },
  failure: {
    description: "The service failed; the log has the reason under this id.",
    type: "object",
    required: ["exception_id", "error"],
    properties: {
      exception_id: { type: "string", description: "Id of the request." },
      error: { type: "string", description: "What failed, in words." },
    },
  },
};

const service = (error: string) => ({ errors: [{ type: "ch:service", error }] });
const invalid = (location_type: string, location: string, error_values: Record<string, string>) => ({
  errors: [{ type: "ch:validation", error: "invalid-parameter", location_type, location, error_values }],
});
const TOO_MANY_QUERIES = invalid("json-path", "queries", {
  reason: "a batch has at most 20 queries; this one has 21",
});

/** Answers by component name, which is the status. */
export const sharedResponses: Record<string, unknown> = {
  304: { description: "The client's copy is current.", headers: REQUEST_ID },
  400: withBody(
    "A parameter is missing or wrong; each error names its parameter.",
    "errors",
    invalid("query-parameter", "items_per_page", { items_per_page: "many" }),
  ),
  401: withBody("No key or token was sent, or it is unknown, expired or revoked.", "unauthorised", {
    error: "Empty Authorization header",
    type: "ch:service",
  }),
  403: withBody(
    "The application may not call from this address or web page, or lacks the scope.",
    "errors",
    service("access-denied"),
  ),
  404: withBody("There is no such record.", "errors", service("company-profile-not-found")),
  406: withBody("The Accept header names no known type or version.", "errors", service("invalid-media-type")),
  410: withBody("The requested version has expired.", "errors", service("media-type-version-expired")),
  413: withBody("The batch has too many queries, or the request is too long.", "errors", TOO_MANY_QUERIES),
  416: { description: "The page starts beyond the result window.", headers: REQUEST_ID },
  422: withBody("The size is out of range.", "errors", invalid("query-parameter", "size", { size: "0" })),
  429: {
    description: "The caller has reached its limit; the headers say when the window ends.",
    headers: REQUEST_ID,
  },
  // Answered by Node before the service sees the request.
  431: { description: "The address and the headers together are longer than 16 kB." },
  500: withBody("The service failed; the log has the reason under this id.", "failure", {
    exception_id: "0b0c3a1e-5f0e-4c56-9d2a-111111111111",
    error: "Internal server error",
  }),
  503: withBody(
    "A store is unavailable or too slow, or the server is overloaded; Retry-After says when to retry.",
    "failure",
    {
      exception_id: "0b0c3a1e-5f0e-4c56-9d2a-111111111111",
      error: "Service unavailable: mongodb cannot be reached",
    },
  ),
};

/** References to shared answers, by status. */
export function refer(statuses: readonly number[]): Record<string, unknown> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }] as const),
  );
}

/** Headers of every successful answer. */
export const answerHeaders = referToHeaders("X-Request-Id", "Service-Expiry-Date", ...LIMIT);

/** The coverage header; a 404 has it, too. */
export const coverageHeader = {
  "X-Register-Coverage": {
    description:
      "Whether records of this kind have been loaded for the company, and the day of the data: " +
      "`charge; loaded=no`, `officer-appointment; loaded=yes; as-of=2026-11-01`. For searches it covers all companies: " +
      "`disqualified-officer; loaded=all; as-of=2026-11-01`, and `loaded=some` if no complete edition has been loaded.",
    schema: { type: "string" },
  },
};

export const etagHeader = referToHeaders("ETag");

function referToHeaders(...names: (keyof typeof sharedHeaders)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function withBody(description: string, schema: keyof typeof errorSchemas, example: unknown) {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example } };
  return { description, headers: REQUEST_ID, content };
}
