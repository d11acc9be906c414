/** Owns downloads on their way out: a search's hits page by page, as lines of CSV (RFC 4180). */
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import type { DownloadDefinition } from "../search/define-download.ts";
import type { Ask, SearchBody, SearchHit } from "../search/define-search.ts";

/** What a download says of its rows. */
type Table = Pick<DownloadDefinition, "columns" | "toRow">;

/**
 * Opens a table. The first page is asked for before anything is sent, so that what goes wrong at once is answered
 * with its status; a fault later on breaks the transfer off, which a client sees. Bounded: no page is asked for
 * before the one before it has been taken, and of each but the first `onFurtherPage` is told beforehand.
 */
export async function openTable(
  download: Table,
  ask: Ask,
  body: SearchBody,
  onFurtherPage: () => Promise<void> | undefined = () => undefined,
): Promise<Readable> {
  const first = await fetchPage(ask, body);
  const askFurther: Ask = async (...bodies) => {
    await onFurtherPage();
    return ask(...bodies);
  };
  return Readable.from(writePages(download, askFurther, body, first));
}

async function* writePages(
  { columns, toRow }: Table,
  ask: Ask,
  body: SearchBody,
  first: SearchHit[],
): AsyncGenerator<string> {
  yield toLines([[...columns]]);
  for (let page = first; page.length > 0; page = await fetchNext(ask, body, page)) {
    yield toLines(page.map(toRow).map((row) => columns.map((column) => row[column] ?? "")));
  }
}

async function fetchNext(ask: Ask, body: SearchBody, page: SearchHit[]): Promise<SearchHit[]> {
  const last = page.at(-1);
  if (!last || page.length < Number(body.size)) return [];
  return fetchPage(ask, { ...body, search_after: last.sort });
}

async function fetchPage(ask: Ask, body: SearchBody): Promise<SearchHit[]> {
  const [result] = await ask(body);
  return result?.hits ?? [];
}

function toLines(rows: string[][]): string {
  return stringify(rows, { record_delimiter: "windows" });
}
