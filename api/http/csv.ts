/** Owns how downloads are sent: a search's hits page by page, as lines of CSV (RFC 4180). */
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import type { DownloadDefinition } from "../search/define-download.ts";
import type { Ask } from "../search/define-search.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";

/** How a download presents its rows. */
interface Table extends Pick<DownloadDefinition, "toRow"> {
  columns: readonly string[];
}

/** Where the rows come from, and how they are sent. */
export interface TableSource {
  /** Fetches the first page, and each further one. */
  ask: Ask;
  body: SearchBody;
  /** True: cells are written unchanged. False: a cell that a spreadsheet would run as a formula begins with `'`. */
  isRaw: boolean;
  /** True: the file begins with a byte order mark. */
  hasMark: boolean;
  /** Called with the number of further calls, before the rows that cost them are fetched. */
  charge?: (calls: number) => Promise<void> | undefined;
}

const BYTE_ORDER_MARK = "\uFEFF";

// Limit: rows that cost one call; the first call pays for the first rows.
const ROWS_OF_A_CALL = 1_000;

/**
 * Opens a table. The first page is fetched before anything is sent, so that an early error is answered
 * with its status; a later error aborts the transfer, which a client notices. Memory is bounded: a page is fetched
 * after the one before it has been sent, and only its text is buffered meanwhile.
 */
export async function openTable(download: Table, source: TableSource): Promise<Readable> {
  const first = await fetchPage(download, source);
  return Readable.from(writePages(download, source, first));
}

/** The lines of a page, and the cursor of the next one; absent after the last one. */
interface Page {
  lines: string;
  next?: unknown[];
}

async function* writePages(download: Table, source: TableSource, first: Page): AsyncGenerator<string> {
  const size = Number(source.body.size);
  yield (source.hasMark ? BYTE_ORDER_MARK : "") + toLines([[...download.columns]], true);
  yield first.lines;
  let { next } = first;
  for (let rows = size; next; rows += size) {
    const calls = callsOf(rows + size) - callsOf(rows);
    if (calls > 0) await source.charge?.(calls);
    const page = await fetchPage(download, source, next);
    yield page.lines;
    ({ next } = page);
  }
}

function callsOf(rows: number): number {
  return Math.ceil(rows / ROWS_OF_A_CALL);
}

async function fetchPage(
  { columns, toRow }: Table,
  { ask, body, isRaw }: TableSource,
  after?: unknown[],
): Promise<Page> {
  const [result] = await ask(after ? { ...body, search_after: after } : body);
  const hits = result?.hits ?? [];
  const rows = hits.map(toRow).map((row) => columns.map((column) => row[column] ?? ""));
  const last = hits.at(-1);
  const isMore = last && hits.length >= Number(body.size);
  return { lines: rows.length > 0 ? toLines(rows, isRaw) : "", ...(isMore && { next: last.sort }) };
}

function toLines(rows: string[][], isRaw: boolean): string {
  return stringify(rows, { record_delimiter: "windows", escape_formulas: !isRaw });
}
