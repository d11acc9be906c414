/** Owns the shape of contract cases, and the form of a file of them: YAML documents, most of which describe one endpoint. */
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
    /** Path of the earlier request; it may use values named before it. */
    path: PATH,
    /** JSON Pointer into the body of its answer. */
    pointer: { type: "string", pattern: "^/" },
    /** Pattern whose first group is taken from the value; the whole value by default. */
    take: TEXT,
  },
} as const;

const FROM = { type: "object", additionalProperties: EARLIER } as const;

const REQUEST = {
  type: ["string", "object"],
  pattern: PATH.pattern,
  additionalProperties: false,
  properties: {
    /** Path and query; `{name}` stands for a value of `from`. One that begins with `?` is another query of the endpoint's. */
    path: PATH,
    /** GET by default. */
    method: { enum: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] },
    /** `{vendor}` stands for the vendor word. */
    headers: TEXTS,
    /** False: sent without a key. A name: with the further key of that name, and not at all where the server has none. */
    key: { type: ["boolean", "string"] },
    /** How often it is sent, once by default; the last answer counts. */
    times: { type: "integer", minimum: 1, maximum: 10 },
  },
} as const;

const CASE = {
  type: "object",
  additionalProperties: false,
  properties: {
    /** What it shows, where its name does not say so; also on whose authority, for an oddity. */
    why: TEXT,
    /** Values by name, used below as `{name}`; requested in order. */
    from: FROM,
    /** Its path, or all that differs from the request of the endpoint. */
    request: REQUEST,
    /** 200 by default. */
    status: { type: "integer", minimum: 200, maximum: 599 },
    /** Expected headers: exact text, or `{ "$matches": … }`, `{ "$absent": true }`. */
    headers: { type: "object" },
    /** The part of the body that must match; see `match.ts`. Absent: the body is not looked at. */
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
    /** Path and query that are answered with 200: the request of every case that has no path of its own. */
    request: { type: "string", pattern: "^/" },
    /** Values for the cases that use them. */
    from: FROM,
    /** Error key of the 404. */
    notFound: TEXT,
    /** Further names that media types may use. */
    aliases: { type: "array", items: TEXT },
    /** Media-type versions that are answered; default: 1. A download has none. */
    versions: NUMBERS,
    /** Versions that are answered with 410; default: 0. */
    expired: NUMBERS,
    /** True: callers without a key are answered, too. */
    isOpen: { type: "boolean" },
    /** True: the answer has the header `ETag`. */
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

/** A value taken from an earlier answer, so that a case holds on any server with the same data. */
export type EarlierValue = FromSchema<typeof EARLIER>;

/** A case as a file has it: what it does not state is that of its endpoint. */
export type WrittenCase = FromSchema<typeof CASE>;

/** A case, complete: ready to be run. */
export interface ContractCase extends Omit<WrittenCase, "request" | "status"> {
  request: Exclude<FromSchema<typeof REQUEST>, string> & { path: string };
  status: number;
}

/** A case with its place. */
export interface NamedCase extends ContractCase {
  /** Name of the definition it is about. */
  endpoint: string;
  /** Unique among the cases of its endpoint. */
  name: string;
}

/** The cases of one endpoint, and what the generated ones need to know of it. */
export type EndpointDocument = FromSchema<typeof ENDPOINT>;

/** Cases that several endpoints share. */
export type SharedDocument = FromSchema<typeof SHARED>;

/** One document of a file. */
export type CaseDocument = EndpointDocument | SharedDocument;

// Compiled when the first document is checked.
let checks: Record<"endpoint" | "shared", ReturnType<typeof compileCheck>> | undefined;

/** Names the first fault of a document, with its place; null when it is right. */
export function checkDocument(document: unknown): string | null {
  const isShared = typeof document === "object" && document !== null && "each" in document;
  checks ??= { endpoint: compileCheck(ENDPOINT), shared: compileCheck(SHARED) };
  const fault = checks[isShared ? "shared" : "endpoint"](document);
  return fault && `${fault.field} ${fault.reason}`.trim();
}
