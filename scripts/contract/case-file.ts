/** Owns the form of a file of contract cases: YAML documents, most of which describe one endpoint. */
import { compileCheck } from "../../api/shared/schemas/validate.ts";
import type { ContractCase, EarlierValue } from "./contract-case.ts";

/** A case as a file has it: what it does not state is that of its endpoint, and the status is 200. */
export interface WrittenCase extends Partial<Omit<ContractCase, "request">> {
  /** Its path, or all that differs from the request of the endpoint. A path that begins with `?` is another query. */
  request?: string | Partial<ContractCase["request"]>;
}

/** The cases of one endpoint, and what the generated ones need to know of it. */
export interface EndpointDocument {
  /** Name of the definition. */
  endpoint: string;
  /** Path and query that are answered with 200: the request of every case that has no path of its own. */
  request: string;
  /** Values for the cases that use them. */
  from?: Record<string, EarlierValue>;
  /** Error key of the 404. */
  notFound?: string;
  /** Further names that media types may use. */
  aliases?: string[];
  /** Media-type versions that are answered; default: 1. A download has none. */
  versions?: number[];
  /** Versions that are answered with 410; default: 0. */
  expired?: number[];
  /** True: callers without a key are answered, too. */
  isOpen?: boolean;
  /** The answer's ETag: `stored` when it is the body's `etag`, `computed` when it is a hash of the answer. Absent: it has none. */
  etag?: "stored" | "computed";
  cases: Record<string, WrittenCase>;
}

/** Cases that several endpoints share. */
export interface SharedDocument {
  /** Values by name for each endpoint, used in the cases as `{name}`. */
  each: Record<string, Record<string, string>>;
  cases: Record<string, WrittenCase>;
}

/** One document of a file. */
export type CaseDocument = EndpointDocument | SharedDocument;

/** True for the document of one endpoint. */
export function isOfEndpoint(document: CaseDocument): document is EndpointDocument {
  return "endpoint" in document;
}

/** True for a document of cases that several endpoints share. */
export function isShared(document: CaseDocument): document is SharedDocument {
  return !isOfEndpoint(document);
}

const TEXT = { type: "string", minLength: 1 };
const TEXTS = { type: "object", additionalProperties: { type: "string" } };
const NUMBERS = { type: "array", items: { type: "integer", minimum: 0 } };

const PATH = { type: "string", pattern: "^[/{?]" };

const FROM = {
  type: "object",
  additionalProperties: {
    type: "object",
    additionalProperties: false,
    required: ["path", "pointer"],
    properties: {
      path: PATH,
      pointer: { type: "string", pattern: "^/" },
      take: TEXT,
    },
  },
};

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
};

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
};

const ENDPOINT = {
  type: "object",
  additionalProperties: false,
  required: ["endpoint", "request", "cases"],
  properties: {
    endpoint: TEXT,
    request: { type: "string", pattern: "^/" },
    from: FROM,
    notFound: TEXT,
    aliases: { type: "array", items: TEXT },
    versions: NUMBERS,
    expired: NUMBERS,
    isOpen: { type: "boolean" },
    etag: { enum: ["stored", "computed"] },
    cases: CASES,
  },
};

const SHARED = {
  type: "object",
  additionalProperties: false,
  required: ["each", "cases"],
  properties: { each: { type: "object", additionalProperties: TEXTS }, cases: CASES },
};

const checkEndpoint = compileCheck(ENDPOINT);
const checkShared = compileCheck(SHARED);

/** Names the first fault of a document, with its place; null when it is a {@link CaseDocument}. */
export function checkDocument(document: unknown): string | null {
  const isShared = typeof document === "object" && document !== null && "each" in document;
  const fault = (isShared ? checkShared : checkEndpoint)(document);
  return fault && `${fault.field} ${fault.reason}`.trim();
}
