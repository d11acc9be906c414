/** Owns the shape of contract cases, and the form of a file of them: YAML documents, most of which describe one endpoint. */
import type { FromSchema } from "json-schema-to-ts";
import { compileCheck } from "../../api/shared/schemas/validate.ts";

/** A value taken from an earlier answer, so that a case holds on any server with the same data. */
export interface EarlierValue {
  /** Path of the earlier request; it may use values named before it. */
  path: string;
  /** JSON Pointer into the body of its answer. */
  pointer: string;
  /** Pattern whose first group is taken from the value; the whole value by default. */
  take?: string;
}

/** A case, complete: ready to be run. */
export interface ContractCase {
  /** What it shows, where its name does not say so; also on whose authority, for an oddity. */
  why?: string;
  /** Values by name, used below as `{name}`; requested in order. */
  from?: Record<string, EarlierValue>;
  request: {
    /** Path and query; `{name}` stands for a value of `from`. */
    path: string;
    /** GET by default. */
    method?: string;
    /** `{vendor}` stands for the vendor word. */
    headers?: Record<string, string>;
    /** False: sent without a key. A name: with the further key of that name, and not at all where the server has none. */
    key?: boolean | string;
    /** How often it is sent, once by default; the last answer counts. */
    times?: number;
  };
  status: number;
  /** Expected headers: exact text, or `{ "$matches": … }`, `{ "$absent": true }`. */
  headers?: Record<string, unknown>;
  /** The part of the body that must match; see `match.ts`. Absent: the body is not looked at. */
  body?: unknown;
}

/** A case with its place. */
export interface NamedCase extends ContractCase {
  /** Name of the definition it is about. */
  endpoint: string;
  /** Unique among the cases of its endpoint. */
  name: string;
}

const TEXT = { type: "string", minLength: 1 } as const;
const TEXTS = { type: "object", additionalProperties: { type: "string" } } as const;
const NUMBERS = { type: "array", items: { type: "integer", minimum: 0 } } as const;
const PATH = { type: "string", pattern: "^[/{?]" } as const;

const FROM = {
  type: "object",
  additionalProperties: {
    type: "object",
    additionalProperties: false,
    required: ["path", "pointer"],
    properties: { path: PATH, pointer: { type: "string", pattern: "^/" }, take: TEXT },
  },
} as const;

const REQUEST = {
  type: ["string", "object"],
  pattern: PATH.pattern,
  additionalProperties: false,
  properties: {
    path: PATH,
    method: { enum: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] },
    headers: TEXTS,
    key: { type: ["boolean", "string"] },
    times: { type: "integer", minimum: 1, maximum: 10 },
  },
} as const;

const CASES = {
  type: "object",
  propertyNames: { pattern: "^[a-z0-9-]+$" },
  additionalProperties: {
    type: "object",
    additionalProperties: false,
    properties: {
      why: TEXT,
      from: FROM,
      request: REQUEST,
      status: { type: "integer", minimum: 200, maximum: 599 },
      headers: { type: "object" },
      body: {},
    },
  },
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
    /** The answer's ETag: `stored` when it is the body's `etag`, `computed` when it is a hash of the answer. Absent: it has none. */
    etag: { enum: ["stored", "computed"] },
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

/** A case as a file has it: what it does not state is that of its endpoint, and the status is 200. */
export interface WrittenCase extends Partial<Omit<ContractCase, "request">> {
  /** Its path, or all that differs from the request of the endpoint. A path that begins with `?` is another query. */
  request?: string | Partial<ContractCase["request"]>;
}

interface Parts {
  cases: Record<string, WrittenCase>;
  /** Values for the cases that use them. */
  from?: Record<string, EarlierValue>;
}

/** The cases of one endpoint, and what the generated ones need to know of it. */
export type EndpointDocument = Omit<FromSchema<typeof ENDPOINT>, keyof Parts> & Parts;

/** Cases that several endpoints share. */
export type SharedDocument = Omit<FromSchema<typeof SHARED>, "cases"> & Pick<Parts, "cases">;

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
