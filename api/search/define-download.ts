/** Owns the DownloadDefinition type: all results of a search, as a table of text. */
import type { QueryParameters, QueryValues } from "../core/query-parameters.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";
import type { SearchBody, SearchHit } from "./define-search.ts";

/** One download: parameters in, a query body out; hits in, rows out. */
export interface DownloadDefinition<
  P extends QueryParameters & { raw: typeof RAW } = QueryParameters & { raw: typeof RAW },
> {
  /** Also the metrics label: `download-companies`. */
  name: string;
  path: string;
  /** One sentence for the documentation. */
  summary: string;
  parameters: P;
  indices: readonly IndexName[];
  /** The body of each page; its order must be total, because each page starts after the last hit. */
  buildQuery: (values: QueryValues<P>) => SearchBody;
  /** Names of the columns, in order. */
  columns: readonly string[];
  /** A hit as a row: texts by column; an absent one is an empty field. */
  toRow: (hit: SearchHit) => Record<string, string | undefined>;
  /** File name that a browser suggests. */
  fileName: string;
}

/** Parameter of every download. */
export const RAW = {
  kind: "boolean",
  description:
    "Cells as they are. By default a cell that begins with = + - @, a tab or a line break gets ' before it, because a spreadsheet would run it as a formula.",
} as const;

/** Defines a download; its place in the table of contents makes the route. */
export function defineDownload<const P extends QueryParameters & { raw: typeof RAW }>(
  definition: DownloadDefinition<P>,
): DownloadDefinition<P> {
  return definition;
}
