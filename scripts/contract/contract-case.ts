/** Owns the shape of a contract case: a request, and the part of its answer that must be so. */
import { compileCheck } from "../../api/core/validate.ts";

/** A value taken from an earlier answer, so that a case holds on any server with the same data. */
export interface EarlierValue {
  /** Path of the earlier request; it may use values named before it. */
  path: string;
  /** JSON Pointer into the body of its answer. */
  pointer: string;
  /** Pattern whose first group is taken from the value; the whole value by default. */
  take?: string;
}

/** A case as its file has it. */
export interface ContractCase {
  /** What it shows, where its name does not say so; also on whose authority, for an oddity. */
  why?: string;
  /** Values by name, used in the paths below as `{name}`; asked for in order. */
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
  /** Name of the definition it is about: its folder. */
  endpoint: string;
  /** Its file without `.json`. */
  name: string;
}

const TEXTS = { type: "object", additionalProperties: { type: "string" } };

/** Names the first fault of what a case file holds. */
export const checkCase = compileCheck({
  type: "object",
  additionalProperties: false,
  required: ["request", "status"],
  properties: {
    why: { type: "string", minLength: 1 },
    from: {
      type: "object",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["path", "pointer"],
        properties: {
          path: { type: "string", pattern: "^[/{]" },
          pointer: { type: "string", pattern: "^/" },
          take: { type: "string" },
        },
      },
    },
    request: {
      type: "object",
      additionalProperties: false,
      required: ["path"],
      properties: {
        path: { type: "string", pattern: "^[/{]" },
        method: { enum: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] },
        headers: TEXTS,
        key: { type: ["boolean", "string"] },
        times: { type: "integer", minimum: 1, maximum: 10 },
      },
    },
    status: { type: "integer", minimum: 200, maximum: 599 },
    headers: { type: "object" },
    body: {},
  },
});
