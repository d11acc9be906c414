/** Owns the types SearchDefinition and DownloadDefinition: one search, or all its results as a table, as plain data and pure functions. */
import type { ScopeName } from "../shared/access/scopes.ts";
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { JsonSchema } from "../shared/schemas/validate.ts";
import type { Deprecation, PresentContext } from "../resources/define-resource.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import type { Phase, SearchBody, SearchHit, SearchResult } from "../shared/definitions/search-result.ts";

/** Sends query bodies, in one request, and returns their results in order: a search's only access to the engine. */
export interface Ask {
  (...bodies: SearchBody[]): Promise<SearchResult[]>;
  /** Looks up words that a later body may need, while the engine works on the first. Absent: other searches are under way. */
  expect?: (words: string[]) => void;
}

/** Whether a query can be read as more than a name. */
export interface Readability {
  /** It clearly can: it has a number, a postcode, an ending in the middle, a date of birth. */
  isMore: boolean;
  /** It may, as all do that clearly can. */
  isReadable: boolean;
}

/** A search by relevance: the query body of each phase, of which those that are needed are built and sent. */
export interface Phases {
  build: (phase: Phase) => SearchBody;
  /** The words of which the tolerant body has near spellings; absent: they are looked up when it is sent. */
  words?: () => string[];
  /** Whether the query can be read; absent: it is never read. */
  look?: () => Readability;
  /** The search has no other phase. */
  last?: "strict";
  /** It is over several kinds: a body that has most of the query may be above a company with a near previous name. */
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
      /** Sends requests that depend on earlier results; uses nothing else: no store, no clock. */
      fetch: (ask: Ask, values: QueryValues<P>) => Promise<SearchResult>;
      phases?: never;
    };

/** One search: parameters in, query bodies out; hits in, answer out. */
export type SearchDefinition<P extends QueryParameters = QueryParameters> = SearchFacts<P> & Way<P>;

interface SearchFacts<P extends QueryParameters> {
  /** Also the metrics label and the media type's resource name: `search-companies`. */
  name: string;
  /** Further names in the specification and the original's documents: media types may use them, too. */
  aliases?: readonly string[];
  path: string;
  /** The scope that a caller needs; default: `search.read`. */
  scope?: ScopeName;
  /** One sentence for the documentation. */
  summary: string;
  parameters: P;
  /** The indices searched together. */
  indices: readonly IndexName[];
  /** The indices for these values, when they depend on them; absent: `indices`. */
  indicesOf?: (values: QueryValues<P>) => readonly IndexName[];
  /** Error key of the 404 when nothing is found. Absent: an answer without items. */
  notFound?: string;
  /** The answer's body. */
  mapResponse: (
    result: SearchResult,
    values: QueryValues<P>,
    context: PresentContext,
  ) => Record<string, unknown>;
  /** JSON Schema of the answer. */
  schema: JsonSchema;
  /** Number of the media-type version that `mapResponse` and `schema` make; default: 1. */
  version?: number;
  /** Versions that are still answered beside it, newest first. */
  olderVersions?: readonly SearchVersion<P>[];
  /** Numbers of expired versions, answered with 410; default: 0. */
  expired?: readonly number[];
  /** Error statuses of its own, for the documentation, besides 400 and those of every operation. */
  statuses?: readonly number[];
  /** An answer, for the documentation. */
  example?: Record<string, unknown>;
}

/** One media-type version of a search: another form of the same result. */
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

/** The search with this paging window instead of its own; unchanged if it has none. */
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

/** The parameters of a download, among them those of its form. */
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
  /** The body of each page; its order must be total, because each page starts after the last hit. */
  buildQuery: (values: QueryValues<P>) => SearchBody;
  /** Names of the columns, in order; further ones may be asked for. */
  columns: (values: QueryValues<P>) => readonly string[];
  /** A hit as a row: texts by column; an absent one is an empty field. */
  toRow: (hit: SearchHit) => Record<string, string | undefined>;
  /** File name that a browser suggests. */
  fileName: string;
}

/** Parameters of every download: how the table is written. */
export const TABLE_PARAMETERS = {
  raw: {
    kind: "boolean",
    description:
      "Cells as they are. By default a cell that begins with = + - @, a tab or a line break gets ' before it, because a spreadsheet would run it as a formula; so does = + - @ behind a semicolon or tab.",
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
