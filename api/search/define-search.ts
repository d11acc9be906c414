/** A search, and a download of all its results as a table: the types of their definitions. */
import type { ScopeName } from "../shared/access/scopes.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { Deprecation, PresentContext } from "../resources/define-resource.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import type { Phase, SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";

/** Sends query bodies in one request and returns their results in order. A search has no other access to the engine. */
export interface Ask {
  (...bodies: SearchBody[]): Promise<SearchResult[]>;
  /** Looks up words that a later body may need while the engine works on the first. Absent while other searches run. */
  expect?: (words: string[]) => void;
}

/** Whether a query can be read as a name together with other facts. */
export interface Readability {
  /** The query clearly has more than a name: a number, a postcode, a legal ending in the middle, a date of birth. */
  isMore: boolean;
  /** The query may have more than a name; also true whenever `isMore` is. */
  isReadable: boolean;
}

/** A search by relevance: builds the query body of each phase. Only the phases that are needed are built and sent. */
export interface Phases {
  build: (phase: Phase) => SearchBody;
  /** The words whose near spellings the tolerant body needs. Absent: they are looked up when that body is sent. */
  words?: () => string[];
  /** Whether the query can be read. Absent: the search has no read phase. */
  readability?: () => Readability;
  /** Set when the search has no phase but the strict one. */
  last?: "strict";
  /** Set for several kinds: a body with most of the query may rank above a company with a near previous name. */
  isMixed?: true;
}

/** How a search gets its result: in phases, or step by step. */
type Way<P extends QueryParameters> =
  | {
      /** The query body of each phase, for a search by relevance. */
      phases: (values: QueryValues<P>) => Phases;
      fetch?: never;
    }
  | {
      /** Sends requests, which may depend on earlier results. It uses only `ask`: no store, no clock. */
      fetch: (ask: Ask, values: QueryValues<P>) => Promise<SearchResult>;
      phases?: never;
    };

/** One search: parameters in, query bodies out; hits in, answer out. */
export type SearchDefinition<P extends QueryParameters = QueryParameters> = SearchFacts<P> & Way<P>;

interface SearchFacts<P extends QueryParameters> {
  /** Also the metrics label and the resource name in the media type: `search-companies`. */
  name: string;
  /** Other names from the specification and the original's documents, which media types may use as well. */
  aliases?: readonly string[];
  path: string;
  /** The scope that a caller needs; default: `search.read`. */
  scope?: ScopeName;
  /** One sentence for the documentation. */
  summary: string;
  parameters: P;
  /** The indices searched together. */
  indices: readonly IndexName[];
  /** The indices for these parameter values. Absent: always `indices`. */
  indicesOf?: (values: QueryValues<P>) => readonly IndexName[];
  /** Error key of the 404 when nothing is found. Absent: the answer is a page without items. */
  notFound?: string;
  /** Makes the body of the answer. */
  mapResponse: (
    result: SearchResult,
    values: QueryValues<P>,
    context: PresentContext,
  ) => Record<string, unknown>;
  /** JSON Schema of the answer. */
  schema: JsonSchema;
  /** Number of the media-type version that `mapResponse` and `schema` make; default: 1. */
  version?: number;
  /** Older versions that are still served, newest first. */
  olderVersions?: readonly SearchVersion<P>[];
  /** Numbers of expired versions, which are answered with 410; default: 0. */
  expired?: readonly number[];
  /** Error statuses for the documentation, besides 400 and those of every operation. */
  statuses?: readonly number[];
  /** A sample answer for the documentation. */
  example?: Record<string, unknown>;
}

/** One media-type version of a search: another form of the same answer. */
interface SearchVersion<P extends QueryParameters = QueryParameters> extends Pick<
  SearchFacts<P>,
  "mapResponse" | "schema"
> {
  version: number;
  /** Absent: the version has no announced end. */
  deprecation?: Deprecation;
}

/** All versions of a search, newest first. */
export function versionsOf<P extends QueryParameters>(
  search: SearchDefinition<P>,
): [SearchVersion<P>, ...SearchVersion<P>[]] {
  const { version = 1, mapResponse, schema, olderVersions = [] } = search;
  return [{ version, mapResponse, schema }, ...olderVersions];
}

/** The search with this paging window instead of its own. A search without a window is unchanged. */
export function withWindow(search: SearchDefinition, window: number): SearchDefinition {
  const parameters = Object.entries(search.parameters).map(([name, parameter]) => {
    const hasWindow = parameter.kind === "integer" && parameter.window !== undefined;
    return [name, hasWindow ? { ...parameter, window } : parameter] as const;
  });
  return { ...search, parameters: Object.fromEntries(parameters) };
}

/** The default scope of a search or download. */
export const SEARCH_SCOPE: ScopeName = "search.read";

/** Defines a search; its place in the table of contents makes the route. */
export function defineSearch<const P extends QueryParameters>(
  definition: SearchDefinition<P>,
): SearchDefinition<P> {
  return definition;
}

/** The parameters of a download, including those for the form of the table. */
type DownloadParameters = QueryParameters & typeof TABLE_PARAMETERS;

/** One download: parameters in, a query body out; hits in, rows out. */
export interface DownloadDefinition<P extends DownloadParameters = DownloadParameters> {
  /** Also the metrics label: `download-companies`. */
  name: string;
  path: string;
  /** One sentence for the documentation. */
  summary: string;
  parameters: P;
  indices: readonly IndexName[];
  /** The query body of each page. Its order must be total: each page starts after the last hit of the one before. */
  buildQuery: (values: QueryValues<P>) => SearchBody;
  /** Names of the columns, in order. A parameter may add columns. */
  columns: (values: QueryValues<P>) => readonly string[];
  /** A hit as a row: a text for each column. A missing text becomes an empty field. */
  toRow: (hit: SearchHit) => Record<string, string | undefined>;
  /** The file name that browsers suggest. */
  fileName: string;
}

/** The parameters of every download, which control how the table is written. */
export const TABLE_PARAMETERS = {
  raw: {
    kind: "boolean",
    description:
      "Write cells unchanged. By default ' is put before a cell that begins with = + - @, a tab or a line break, because a spreadsheet would run it as a formula, and before = + - @ after a semicolon or tab.",
  },
  byte_order_mark: {
    kind: "boolean",
    description:
      "Begin the file with a byte order mark (U+FEFF). Excel needs it to read the accents of a UTF-8 file.",
  },
} as const;

/** Defines a download; its place in the table of contents makes the route. */
export function defineDownload<const P extends DownloadParameters>(
  definition: DownloadDefinition<P>,
): DownloadDefinition<P> {
  return definition;
}
