/** Owns the answers that operations share in OpenAPI: refusals, failures, and the schemas of their bodies. */

/** An OpenAPI response object, or a reference to one. */
export type ResponseObject = Record<string, unknown>;

const TEXT = { type: "string" };

/** Headers that many answers have, by name. */
export const sharedHeaders = {
  "X-Request-Id": {
    description: "The request's id, as the log has it; a client may send its own.",
    schema: TEXT,
  },
  "Service-Expiry-Date": {
    description: "Of a deprecated version: `<date>; rel=<media type>; version=<n>`, the day it ends.",
    schema: TEXT,
  },
  "X-Ratelimit-Limit": {
    description: "Calls that the application, or the address without a key, has in a window.",
    schema: TEXT,
  },
  "X-Ratelimit-Remain": { description: "Calls that are left.", schema: TEXT },
  "X-Ratelimit-Reset": { description: "When the window ends, in seconds since 1970.", schema: TEXT },
  "X-Ratelimit-Window": { description: "How long a window is: `5m`.", schema: TEXT },
  ETag: { description: "Send it back as If-None-Match.", schema: TEXT },
} as const;

const LIMIT = ["X-Ratelimit-Limit", "X-Ratelimit-Remain", "X-Ratelimit-Reset", "X-Ratelimit-Window"] as const;
const REQUEST_ID = referToHeaders("X-Request-Id", ...LIMIT);

const ERROR = {
  title: "error",
  description: "One reason for which a request was refused.",
  type: "object",
  required: ["type", "error"],
  properties: {
    type: {
      enum: ["ch:service", "ch:validation"],
      description: "Whether the service refused the request, or a value in it is wrong.",
    },
    error: { type: "string", description: "A key that clients may test." },
    location_type: {
      enum: ["json-path", "query-parameter"],
      description: "What kind of place `location` is.",
    },
    location: { type: "string", description: "Name of the parameter at fault." },
    error_values: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "The values at fault, by the names of their parameters.",
    },
  },
};

const ERROR_BODY = {
  description: "Why a request was refused.",
  type: "object",
  required: ["errors"],
  properties: {
    errors: { type: "array", items: ERROR, description: "The reasons, at least one." },
  },
};

/** Schemas of the bodies of refusals and failures, by component name. */
export const errorSchemas = {
  errors: ERROR_BODY,
  unauthorised: {
    description: "Why a request without a valid key or token was refused.",
    type: "object",
    required: ["error", "type"],
    properties: {
      error: {
        enum: ["Empty Authorization header", "Invalid Authorization"],
        description: "Whether the key or token is missing or not valid.",
      },
      type: { const: "ch:service", description: "That the service refused the request." },
    },
  },
  failure: {
    description: "That the service failed, and where the reason is to be found.",
    type: "object",
    required: ["exception_id", "error"],
    properties: {
      exception_id: { type: "string", description: "The request's id." },
      error: { type: "string", description: "What failed, in words." },
    },
  },
};

const service = (error: string) => ({ errors: [{ type: "ch:service", error }] });
const validation = {
  errors: [
    {
      type: "ch:validation",
      error: "invalid-parameter",
      location_type: "query-parameter",
      location: "items_per_page",
      error_values: { items_per_page: "many" },
    },
  ],
};

/** Answers by component name, which is the status. */
export const sharedResponses: Record<string, ResponseObject> = {
  304: { description: "The client has the answer already.", headers: REQUEST_ID },
  400: withBody("A parameter is missing or wrong; each fault names its parameter.", "errors", validation),
  401: withBody("No key or token was sent, or one that is not known or has expired.", "unauthorised", {
    error: "Empty Authorization header",
    type: "ch:service",
  }),
  403: withBody(
    "The caller may not ask from this address or web page, or lacks the scope.",
    "errors",
    service("access-denied"),
  ),
  404: withBody("There is nothing of that name.", "errors", service("company-profile-not-found")),
  406: withBody(
    "The Accept header names no type or version there is.",
    "errors",
    service("invalid-media-type"),
  ),
  410: withBody("The version asked for has expired.", "errors", service("media-type-version-expired")),
  413: withBody("There are too many queries in a batch, or the request is too long.", "errors", validation),
  416: { description: "The page starts past the result window.", headers: REQUEST_ID },
  422: withBody("The size is out of range.", "errors", validation),
  429: {
    description: "The caller has used up its calls; the headers say when its window ends.",
    headers: REQUEST_ID,
  },
  // Answered by Node before the service sees the request.
  431: { description: "Address and headers together are longer than 16 kB." },
  500: withBody("The service failed; the log has the reason under this id.", "failure", {
    exception_id: "0b0c3a1e-5f0e-4c56-9d2a-111111111111",
    error: "Internal server error",
  }),
  503: withBody("A store cannot be reached.", "failure", {
    exception_id: "0b0c3a1e-5f0e-4c56-9d2a-111111111111",
    error: "Service unavailable: mongodb cannot be reached",
  }),
};

/** References to shared answers, by status. */
export function refer(statuses: readonly number[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }] as const),
  );
}

/** Headers of every successful answer. */
export const answerHeaders = referToHeaders("X-Request-Id", "Service-Expiry-Date", ...LIMIT);

/** The header of what the register holds; a 404 has it, too. */
export const coverageHeader = {
  "X-Register-Coverage": {
    description:
      "Whether records of this kind have been loaded for the company, and of which day: " +
      "`charge; held=no`, `officer-appointment; held=yes; as-of=2026-11-01`. A search tells of all companies: " +
      "`disqualified-officer; held=all; as-of=2026-11-01`, and `held=some` where no edition in whole has been loaded.",
    schema: { type: "string" },
  },
};

/** The header of answers that can be asked for on condition. */
export const etagHeader = referToHeaders("ETag");

function referToHeaders(...names: (keyof typeof sharedHeaders)[]): Record<string, ResponseObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function withBody(description: string, schema: keyof typeof errorSchemas, example: unknown): ResponseObject {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example } };
  return { description, headers: REQUEST_ID, content };
}
