/** The schema of contract cases and of their files: YAML documents, most of which describe one endpoint. */
import type { FromSchema } from "json-schema-to-ts";
import { compileCheck } from "../../api/shared/schemas/validate.ts";

const TEXT = { type: "string", minLength: 1 } as const;
const TEXTS = { type: "object", additionalProperties: { type: "string" } } as const;
const NUMBERS = { type: "array", items: { type: "integer", minimum: 0 } } as const;
const PATH = { type: "string", pattern: "^[/{?]" } as const;

const EARLIER = {
  type: "object",
  additionalProperties: false,
  required: ["path", "pointer"],
  properties: {
    /** Path of the earlier request; it may use the values of steps before it. */
    path: PATH,
    /** JSON Pointer into the body of its answer. */
    pointer: { type: "string", pattern: "^/" },
    /** Pattern whose first group is the value to take; without it the whole value is taken. */
    take: TEXT,
  },
} as const;

const FROM = { type: "object", additionalProperties: EARLIER } as const;

const REQUEST = {
  type: ["string", "object"],
  pattern: PATH.pattern,
  additionalProperties: false,
  properties: {
    /** Path and query; `{name}` stands for a value of `from`. `?…` is a query for the endpoint's own path. */
    path: PATH,
    /** GET by default. */
    method: { enum: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] },
    /** `{vendor}` stands for the vendor word. */
    headers: TEXTS,
    /** False: send no key. A name: send the further key of that name; the case is not run if there is no such key. */
    key: { type: ["boolean", "string"] },
    /** How often to send the request, once by default; the last answer is compared. */
    times: { type: "integer", minimum: 1, maximum: 10 },
  },
} as const;

const CASE = {
  type: "object",
  additionalProperties: false,
  properties: {
    /** What the case shows, if its name does not say so; for an oddity, also the source that states it. */
    why: TEXT,
    /** Values from earlier requests, by name, used below as `{name}`; requested in this order. */
    from: FROM,
    /** Its path, or all members that differ from the endpoint's request. */
    request: REQUEST,
    /** 200 by default. */
    status: { type: "integer", minimum: 200, maximum: 599 },
    /** Expected headers: exact text, or `{ "$matches": … }`, `{ "$absent": true }`. */
    headers: { type: "object" },
    /** The part of the body that must match (see `matchPart` in run-case.ts). Absent: the body is not checked. */
    body: {},
  },
} as const;

const CASES = {
  type: "object",
  propertyNames: { pattern: "^[a-z0-9-]+$" },
  additionalProperties: CASE,
} as const;

const ENDPOINT = {
  type: "object",
  additionalProperties: false,
  required: ["endpoint", "request", "cases"],
  properties: {
    /** Name of the definition. */
    endpoint: TEXT,
    /** Path and query that the server answers with 200: the request of every case without a path of its own. */
    request: { type: "string", pattern: "^/" },
    /** Values for the cases that use them. */
    from: FROM,
    /** Error key of its 404 answers. */
    notFound: TEXT,
    /** Further names that media types may use. */
    aliases: { type: "array", items: TEXT },
    /** Media-type versions that the server serves; default: 1. A download has none. */
    versions: NUMBERS,
    /** Versions that it answers with 410; default: 0. */
    expired: NUMBERS,
    /** Whether clients without a key get an answer, too. */
    isOpen: { type: "boolean" },
    /** Whether the answer has the header `ETag`. */
    hasEtag: { type: "boolean" },
    cases: CASES,
  },
} as const;

const SHARED = {
  type: "object",
  additionalProperties: false,
  required: ["each", "cases"],
  properties: {
    /** Values by name for each endpoint, used in the cases as `{name}`. */
    each: { type: "object", additionalProperties: TEXTS },
    cases: CASES,
  },
} as const;

/** A value from an earlier answer, so that a case holds on any server with the same data, whatever its ids. */
export type EarlierValue = FromSchema<typeof EARLIER>;

/** A case as a file has it: members that it lacks come from its endpoint. */
export type WrittenCase = FromSchema<typeof CASE>;

/** A complete case, ready to be run. */
export interface ContractCase extends Omit<WrittenCase, "request" | "status"> {
  request: Exclude<FromSchema<typeof REQUEST>, string> & { path: string };
  status: number;
}

/** A case with its endpoint and name. */
export interface NamedCase extends ContractCase {
  /** Name of the definition that it tests. */
  endpoint: string;
  /** Unique among the cases of its endpoint. */
  name: string;
}

/** The cases of one endpoint, and the facts from which further cases are generated. */
export type EndpointDocument = FromSchema<typeof ENDPOINT>;

/** Cases that several endpoints share. */
export type SharedDocument = FromSchema<typeof SHARED>;

/** One document of a file. */
export type CaseDocument = EndpointDocument | SharedDocument;

// Compiled when the first document is checked.
let checks: Record<"endpoint" | "shared", ReturnType<typeof compileCheck>> | undefined;

/** The first fault of a document, with its place; null if it is valid. */
export function checkDocument(document: unknown): string | null {
  const isShared = typeof document === "object" && document !== null && "each" in document;
  checks ??= { endpoint: compileCheck(ENDPOINT), shared: compileCheck(SHARED) };
  const fault = checks[isShared ? "shared" : "endpoint"](document);
  return fault && `${fault.field} ${fault.reason}`.trim();
}
