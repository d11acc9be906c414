/** The ResourceDefinition type: describes one resource that can be fetched, as plain data and pure functions. */
import type { ScopeName } from "../shared/access/scopes.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { RecordReader } from "../shared/definitions/record-reader.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { IndexKeys, RecordDefinition, StoredRecord } from "../shared/definitions/define-record.ts";

/** Path parameters in canonical form (a company number in upper case with its zeros). */
export type PathValues = Record<string, string>;

/** What a presenter needs besides the record. */
export interface PresentContext {
  /** The day of the request, `YYYY-MM-DD`: `overdue` and the like are computed at read. */
  today: string;
}

/** The announced end of a media-type version. */
export interface Deprecation {
  /** The day from which the version is answered with 410, `YYYY-MM-DD`; until then a header announces it. */
  expiresOn: string;
}

/** One media-type version of a resource: its JSON Schema, and the function that makes its body. */
export interface ResourceVersion<Read> {
  version: number;
  schema: JsonSchema;
  /** Absent: the version has no announced end. */
  deprecation?: Deprecation;
  /** Pure: maps what was read to the body of the answer. */
  present: (read: Read, context: PresentContext) => Record<string, unknown>;
}

/** One resource that can be fetched by GET. */
export interface ResourceDefinition<Read = unknown, P extends QueryParameters = QueryParameters> {
  /** The media type's resource name and the metrics label: `company-profile`. */
  name: string;
  /** Other names that the specification and the original's documents use; media types may use them, too. */
  aliases?: readonly string[];
  /** Path with `:parameters`. */
  path: string;
  /** The scope that a caller needs. */
  scope: ScopeName;
  /** True: callers without a key may fetch it, too. */
  isOpen?: boolean;
  /** One sentence for the documentation. */
  summary: string;
  /** The kind of record that it shows, with its collection and indexes. Absent: it shows no record. */
  record?: RecordDefinition;
  parameters: P;
  /** `errors[0].error` of the 404. */
  notFound: string;
  /** Reads what the answer needs; null means 404. May throw ApiError for a bad combination of parameters. */
  read: (records: RecordReader, path: PathValues, query: QueryValues<P>) => Promise<Read | null>;
  /**
   * For a list: whether any record of its kind is stored for the company, even if the page or the filter shows none.
   * A list with this function has `coverage` in its answer, which tells "the company has none" from "not loaded".
   * Called only when the kind has not been loaded for every company.
   */
  hasRecords?: (read: Read, records: RecordReader, path: PathValues) => boolean | Promise<boolean>;
  /** True: the answer has the header `ETag`; `api.md` lists these resources. */
  hasEtag?: boolean;
  /** Newest first; the first one cannot be deprecated. */
  versions: [ResourceVersion<Read>, ...ResourceVersion<Read>[]];
  /** Numbers of expired versions, answered with 410. Default: 0, the beta of the original. */
  expired?: readonly number[];
  /** An answer of the newest version, for the documentation. */
  example: Record<string, unknown>;
  /** Path values of the example. Needed when no link in the example leads to the resource's own path. */
  examplePath?: PathValues;
}

/** A record of this definition as it is stored. */
export type StoredOf<R> =
  R extends RecordDefinition<infer Data, infer Keys> ? StoredRecord<Data, Keys> : never;

/** The default of a definition that lists no expired versions. */
export const EXPIRED_BY_DEFAULT: readonly number[] = [0];

/** A resource as its module writes it: the newest version is inlined, and members with a default may be missing. */
type Written<Read, P extends QueryParameters, D, K extends IndexKeys> = Omit<
  ResourceDefinition<Read, P>,
  "record" | "parameters" | "versions"
> &
  Pick<ResourceVersion<Read>, "schema" | "present"> & {
    record?: RecordDefinition<D, K>;
    parameters?: P;
    /** Default: 1. */
    version?: number;
    /** Newest first. */
    olderVersions?: readonly ResourceVersion<Read>[];
  };

/**
 * Defines a resource. The cast loses its exact types, so that one list can hold all resources. This is safe because
 * callers pass to `present` only what the `read` of the same definition returned.
 */
export function defineResource<Read, const P extends QueryParameters, D, K extends IndexKeys>(
  written: Written<Read, P, D, K>,
): ResourceDefinition {
  const { version = 1, schema, present, olderVersions = [], parameters = {}, ...others } = written;
  const versions = [{ version, schema, present }, ...olderVersions];
  return { ...others, parameters, versions } as unknown as ResourceDefinition;
}
