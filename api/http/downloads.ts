/**
 * Downloads: their routes, how many run at once, whose page is fetched next, and how the hits of a search are sent,
 * page by page, as lines of CSV (RFC 4180).
 */
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import Router from "@koa/router";
import { stringify } from "csv-stringify/sync";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import { SEARCH_SCOPE, type Ask, type DownloadDefinition } from "../search/define-search.ts";
import type { SearchBody } from "../shared/definitions/search-result.ts";
import type { Budget } from "../shared/runtime/deadlines.ts";
import { parseQuery } from "../shared/schemas/query-parameters.ts";
import { withoutFormulas } from "../shared/values/formulas.ts";
import { requireAccess } from "./auth/identify.ts";
import { answerConditionally } from "./sending.ts";
import type { SetSearchCoverage } from "./answers.ts";
import { Admission } from "./limits/admission.ts";
import { callsOf } from "./limits/rate-limit.ts";
import type { AppContext, RequestState } from "./request-context.ts";
import { callerOf } from "./routes.ts";
import { requireAccepted } from "./versioning.ts";

const CSV_TYPE = "text/csv";
// A client that reads nothing for this long is gone, or occupies a place that others could use.
const STALLED_MS = 120_000;
const RETRY_AFTER_SECONDS = 30;
const BYTE_ORDER_MARK = "\uFEFF";

/** What the handlers of downloads need. */
export interface DownloadDependencies {
  stores: { elasticsearch: SearchStore };
  downloads: Downloads;
  setSearchCoverage: SetSearchCoverage;
}

/** Routes of all downloads. */
export function buildDownloadRoutes(
  definitions: readonly DownloadDefinition[],
  dependencies: DownloadDependencies,
): Router<RequestState> {
  const router = new Router<RequestState>();
  for (const download of definitions)
    router.get(download.path, requireAccess({ scope: SEARCH_SCOPE }), answerDownload(download, dependencies));
  return router;
}

/** Makes the handler of a download; access must have been checked before. */
export function answerDownload(
  download: DownloadDefinition,
  { stores, setSearchCoverage, downloads }: DownloadDependencies,
): (ctx: AppContext) => Promise<void> {
  return async (ctx) => {
    ctx.state.route = download.name;
    ctx.vary("Accept");
    requireAccepted(ctx.headers.accept, CSV_TYPE);
    const values = parseQuery(download.parameters, ctx.query);
    const body = download.buildQuery(values);
    await setSearchCoverage(ctx, download.indices);
    const caller = callerOf(ctx);
    await downloads.begin(ctx, caller);
    const ask: Ask = (...bodies) =>
      downloads.inTurn(ctx, caller, (budget) =>
        stores.elasticsearch.search(download.indices, bodies, { budget }),
      );
    const charge = (calls: number) => ctx.state.charge?.(calls);
    const table = { columns: download.columns(values), toRow: download.toRow };
    const form = { isRaw: values.raw, hasMark: values.byte_order_mark };
    ctx.body = await openTable(table, { ask, body, charge, ...form });
    ctx.set("Content-Type", `${CSV_TYPE}; charset=utf-8; header=present`);
    ctx.set("Content-Disposition", `attachment; filename="${download.fileName}"`);
    answerConditionally(ctx, undefined);
  };
}

export type Downloads = ReturnType<typeof openDownloads>;

/** Opens the limits of downloads. `atOnce`: most that run at once; one caller may have half of them. */
export function openDownloads(atOnce: number, stalledMs = STALLED_MS) {
  const retry = { what: "downloads", retryAfterSeconds: RETRY_AFTER_SECONDS };
  const downloads = new Admission({ ...retry, atOnce, waiting: 0 });
  // Limit: each running download has at most one page waiting, so no more wait than may run.
  const pages = new Admission({ ...retry, atOnce: 1, waiting: Infinity });
  return {
    /**
     * Begins a download, which lasts as long as its connection. The connection is closed when the client reads nothing
     * for `stalledMs`. Throws BusyError when too many downloads are running.
     */
    begin: async ({ res }: AppContext, caller: string): Promise<void> => {
      const leave = await downloads.enter(caller);
      if (res.destroyed) return leave();
      res.once("close", leave);
      // With nothing left to send, the download waits for the turn of its next page, and the client is not to blame.
      res.setTimeout(stalledMs, () => res.writableLength > 0 && res.destroy());
    },
    /**
     * Fetches a page when it is the caller's turn. Only one page is fetched at a time, because making its lines takes
     * processor time from all other requests. A pause as long as the fetch follows. Each page has its own budget, as
     * long as a request's.
     */
    inTurn: <T>({ state }: AppContext, caller: string, fetch: (budget?: Budget) => Promise<T>): Promise<T> =>
      pages.run(caller, undefined, async () => {
        const startedAt = performance.now();
        const page = await (state.budget ? state.budget.runStep(fetch) : fetch());
        // The pause is part of the turn, so that fast readers leave at least half of the time to other requests.
        await sleep(performance.now() - startedAt);
        return page;
      }),
  };
}

/** How a download presents its rows. */
interface Table extends Pick<DownloadDefinition, "toRow"> {
  columns: readonly string[];
}

/** Where the rows come from, and how they are sent. */
interface TableSource {
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

// Characters that spreadsheets of other countries read as separators, so cells with one are quoted.
const OTHER_SEPARATOR = /[;\t]/;

function toLines(rows: string[][], isRaw: boolean): string {
  const written = isRaw ? rows : rows.map((row) => row.map(withoutFormulas));
  return stringify(written, { record_delimiter: "windows", quoted_match: OTHER_SEPARATOR });
}
