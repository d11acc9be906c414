/** Owns the DownloadDefinition type: all results of a search, as a table of text. */
import type { QueryParameters, QueryValues } from "../shared/schemas/query-parameters.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import type { SearchBody, SearchHit } from "../shared/definitions/search-result.ts";

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
      "Cells as they are. By default a cell that begins with = + - @, a tab or a line break gets ' before it, because a spreadsheet would run it as a formula.",
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
