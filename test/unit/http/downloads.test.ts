/** Downloads over a connection: clients that stop reading or disconnect, and one download too many. */
import { afterEach, expect, it } from "@jest/globals";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import Koa from "koa";
import {
  answerDownload,
  openDownloads,
  type DownloadDependencies,
  type Downloads,
} from "../../../api/http/downloads.ts";
import { errorResponse } from "../../../api/http/error-response.ts";
import { limitRequestTime, type AppContext, type RequestState } from "../../../api/http/request-context.ts";
import type { DownloadDefinition } from "../../../api/search/define-search.ts";
import { downloads } from "../../../api/search/index.ts";
import type { SearchBody, SearchHit } from "../../../api/shared/definitions/search-result.ts";
import { listen } from "../../support/serve.ts";
import { waitUntil } from "../../support/wait-until.ts";

const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

const PAGE = "x".repeat(100_000);

// The cast: there is exactly one download.
const [companies] = downloads as [DownloadDefinition];

/** What a download needs, with this function as its search. */
function dependenciesOf(search: unknown, running: Downloads): DownloadDependencies {
  // The cast: a download uses nothing else of the stores.
  const stores = { elasticsearch: { search } } as unknown as DownloadDependencies["stores"];
  return { stores, downloads: running, setSearchCoverage: () => Promise.resolve() };
}

/** Serves an app until the end of the test. */
async function open(app: Koa<RequestState>) {
  const { base, port, close } = await listen(app);
  closers.push(close);
  return { base, port };
}

/** Serves an endless table, at most `atOnce` times at once, and counts the pages that are fetched. */
async function serve(atOnce: number, stalledMs = 60_000) {
  const state = { pages: 0 };
  const search = () => {
    state.pages += 1;
    return Promise.resolve([{ total: 1, hits: [{ id: "1", sort: [1] }] }]);
  };
  const buildQuery = () => ({ size: 1 });
  const endless = { ...companies, buildQuery, columns: () => ["text"], toRow: () => ({ text: PAGE }) };
  const answer = answerDownload(endless, dependenciesOf(search, openDownloads(atOnce, stalledMs)));
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(errorResponse());
  app.use(limitRequestTime(300));
  app.use(async (ctx: AppContext) => {
    ctx.state.principal = { countedAs: ctx.get("X-Caller") };
    await answer(ctx);
  });
  return { state, ...(await open(app)) };
}

/** A client that sends a request and reads nothing of the answer. */
function openStalled(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  closers.push(() => socket.destroy());
  return socket;
}

it("refuses a download above the caller's limit until another one of the caller ends, but none of other callers", async () => {
  const { base, state, port } = await serve(2);
  const first = openStalled(port);
  await waitUntil(() => Promise.resolve(state.pages > 0), "the first is under way");
  const refused = await fetch(base);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
  expect(await refused.json()).toMatchObject({ error: expect.stringContaining("too many downloads") });
  const other = new AbortController();
  const answered = await fetch(base, { headers: { "X-Caller": "another" }, signal: other.signal });
  expect(answered.status).toBe(200);
  other.abort();
  first.destroy();
  await waitUntil(async () => {
    const controller = new AbortController();
    const { status } = await fetch(base, { signal: controller.signal });
    controller.abort();
    return status === 200;
  }, "the place is free again");
});

it("a download may last longer than a request, but its connection is closed when the client stops reading", async () => {
  const { state, port } = await serve(2, 500);
  const stalled = openStalled(port);
  await waitUntil(() => Promise.resolve(state.pages > 0), "it is under way");
  await new Promise((resolve) => setTimeout(resolve, 400));
  const pagesUnread = state.pages;
  const closed = once(stalled, "close");
  stalled.resume();
  await waitUntil(() => Promise.resolve(state.pages > pagesUnread + 20), "it goes on when it is read again");
  stalled.pause();
  // The server first fills the connection's buffers. On a busy machine that takes longer than a client may stall.
  let before: number;
  do {
    before = state.pages;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  } while (state.pages > before);
  stalled.resume();
  await closed;
});

it("a download that waits longer for its next page than a client may stall still completes", async () => {
  const downloads = openDownloads(2, 100);
  const app = new Koa<RequestState>();
  app.use(async (ctx: AppContext) => {
    await downloads.begin(ctx, "somebody");
    const write = async function* () {
      yield "first ";
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      yield "last";
    };
    ctx.body = Readable.from(write());
  });
  const { base } = await open(app);
  expect(await (await fetch(base)).text()).toBe("first last");
});

it("a download is charged for the calls that its rows cost", async () => {
  const hits = Array.from({ length: 2_500 }, (_none, at) => ({ id: String(at), sort: [at] }));
  const search = (_indices: unknown, [body]: SearchBody[]) => {
    const [after = -1] = (body?.search_after as number[] | undefined) ?? [];
    return Promise.resolve([
      { total: hits.length, hits: hits.slice(after + 1, after + 1 + Number(body?.size)) },
    ]);
  };
  const download = { ...companies, toRow: ({ id }: SearchHit) => ({ company_number: id }) };
  const answer = answerDownload(download, dependenciesOf(search, openDownloads(2)));
  const charged: number[] = [];
  const app = new Koa<RequestState>();
  app.use(async (ctx: AppContext) => {
    ctx.state.principal = { countedAs: "somebody" };
    ctx.state.charge = (calls) => Promise.resolve(void charged.push(calls));
    await answer(ctx);
  });
  const { base } = await open(app);
  const text = await (await fetch(base)).text();
  expect(text.trimEnd().split("\r\n")).toHaveLength(1 + hits.length);
  // The request itself counts as one call, which pays for the first thousand rows.
  expect(charged).toEqual([1, 1]);
});
