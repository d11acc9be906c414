/** Owns the shape of a contract case: a request, and the part of its answer that must be so. */

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
