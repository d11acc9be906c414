/** Owns how pages are served: who may see them, their headers, and errors as pages. */
import { createHash } from "node:crypto";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { toDay } from "../core/dates.ts";
import { ApiError, AuthenticationError } from "../core/errors.ts";
import { answerConditionally } from "../http/cache-headers.ts";
import { serviceError } from "../http/error-response.ts";
import type { AppContext, RequestState } from "../http/request-context.ts";
import { answerDownload, toAsking, type Endpoints, type RouteDependencies } from "../http/routes.ts";
import { SEARCH_SCOPE } from "../search/define-search.ts";
import { DOWNLOAD, FOLDER, isPage, START, SUGGEST, wayToRoot } from "./addresses.ts";
import { openAsk, requireScope, type AskDependencies } from "./asking.ts";
import { buildAssets } from "./assets.ts";
import { valueOf, type PageDefinition, type Shown } from "./define-page.ts";
import { faultPage } from "./fault.tsx";
import { pages as definitions } from "./index.ts";
import { renderPage, type Assets } from "./layout.tsx";

/** Who may see pages: nobody, callers with a key of the API, everybody. */
export type PageAccess = "off" | "key" | "open";

export interface PageOptions extends RouteDependencies {
  endpoints: Endpoints;
  access: PageAccess;
}

/** The pages, for the app. */
export interface Pages {
  /** Runs before the API's error answers, and shows errors of pages as pages. */
  frame: Middleware<RequestState>;
  /** Files that pages load: for everybody, without the rate limit. */
  files: Router<RequestState>;
  /** The pages themselves, behind the rate limit. */
  router: Router<RequestState>;
}

// Nothing inline, nothing from other hosts. The style sheet has its icons as data: images.
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The challenge for a browser without a key where one is needed: the key is the user name, without a password. */
const CHALLENGE = 'Basic realm="Company Register: your key is the user name", charset="UTF-8"';

/** Makes the pages; with `off` there are none, and their addresses do not exist. */
export function buildPages(options: PageOptions): Pages {
  const router = new Router<RequestState>();
  if (options.access === "off") return { frame: (_ctx, next) => next(), files: router, router };
  const { assets, router: files } = buildAssets();
  const asking = { ...options, isOpen: options.access === "open" };
  const reach = reachOf(options.endpoints);
  router.use(letIn(options.access));
  for (const page of definitions) addPage(router, page, { asking, assets, reach });
  router.get(SUGGEST, answerSuggestions(asking));
  const [download] = options.endpoints.downloads;
  const mayDownload: Middleware<RequestState> = (ctx, next) => {
    requireScope(ctx, SEARCH_SCOPE, asking);
    return next();
  };
  if (download) router.get(DOWNLOAD, mayDownload, answerDownload(download, toAsking(options)));
  router.all([START, FOLDER, `${FOLDER}/{*rest}`], ({ method }) => {
    if (method === "GET" || method === "HEAD") throw new ApiError(404, [serviceError("resource-not-found")]);
    throw new ApiError(405, [serviceError("invalid-http-method")]);
  });
  return { frame: showFaults(assets), files, router };
}

/** A wrong key is refused even where none is needed: its sender meant to use it. */
function letIn(access: PageAccess): Middleware<RequestState> {
  return async ({ state: { refusal } }, next) => {
    const isNobody = refusal instanceof AuthenticationError && refusal.isEmpty;
    if (refusal && !(access === "open" && isNobody)) throw refusal;
    await next();
  };
}

/** What all pages share. */
interface Shared {
  asking: AskDependencies;
  assets: Assets;
  /** How many rows of a search by relevance can be paged. */
  reach: number;
}

function addPage(
  router: Router<RequestState>,
  page: PageDefinition,
  { asking, assets, reach }: Shared,
): void {
  router.get(page.path, async (ctx) => {
    ctx.state.route = page.name;
    const { params, query } = ctx;
    const today = toDay(asking.clock());
    const shown = await page.show({ ask: openAsk(ctx, asking), params, query, today, reach });
    if (!shown) throw new ApiError(404, [serviceError("resource-not-found")]);
    sendPage(ctx, shown, assets);
    answerConditionally(ctx, createHash("sha1").update(String(ctx.body)).digest("hex"));
  });
}

/** How many rows a search by relevance shows without a cursor. */
function reachOf({ searches }: Endpoints): number {
  const start = searches.find(({ name }) => name === "search-all")?.parameters.start_index;
  return (start?.kind === "integer" ? start.window : undefined) ?? Infinity;
}

function sendPage(ctx: AppContext, shown: Shown, assets: Assets): void {
  ctx.set("Content-Security-Policy", CONTENT_POLICY);
  ctx.set("Referrer-Policy", "same-origin");
  // People are found by a search here, not by their name at a search engine; and robots would use up the limits.
  ctx.set("X-Robots-Tag", "noindex, nofollow");
  ctx.type = "text/html; charset=utf-8";
  ctx.body = renderPage(shown, assets, wayToRoot(ctx.path));
}

/** The suggestions of the API, unchanged, for the script of the search box. */
function answerSuggestions(asking: AskDependencies): Middleware<RequestState> {
  return async (ctx) => {
    ctx.state.route = "page-suggestions";
    const answer = await openAsk(ctx, asking)("suggest-companies", { q: valueOf(ctx.query, "q") });
    ctx.type = "application/json";
    ctx.body = JSON.stringify(answer);
    answerConditionally(ctx, undefined);
  };
}

/** Shows every refusal and error at the address of a page as a page, with its status and headers. */
function showFaults(assets: Assets): Middleware<RequestState> {
  return async (ctx, next) => {
    await next();
    if (!isPage(ctx.path) || ctx.status < 400 || ctx.headerSent) return;
    const { status } = ctx;
    const body: unknown = ctx.body;
    if (status === 401) ctx.set("WWW-Authenticate", CHALLENGE);
    const retryAfter = retryAfterOf(ctx);
    if (retryAfter) ctx.set("Retry-After", retryAfter);
    sendPage(ctx, faultPage({ status, body, retryAfter }), assets);
    ctx.status = status;
  };
}

/** Retry-After in seconds: the one already set, or the end of the rate limit's window. */
function retryAfterOf({ status, response }: AppContext): string | undefined {
  const given = response.get("Retry-After");
  if (given || status !== 429) return given || undefined;
  const seconds = Number(response.get("X-Ratelimit-Reset")) - Date.now() / 1000;
  return Number.isFinite(seconds) ? String(Math.max(1, Math.ceil(seconds))) : undefined;
}
