/**
 * The list of all pages, and how they are served: who may see them, headers, files, errors as pages, and suggestions.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { toDay } from "../shared/values/dates.ts";
import { ApiError, AuthenticationError, serviceError } from "../shared/runtime/errors.ts";
import { contentPolicy, sharedFiles, toPageFile, toStyle } from "../shared/html/files.ts";
import { requireScope } from "../http/auth/identify.ts";
import { answerConditionally, sendJson } from "../http/sending.ts";
import type { AppContext, BaseOf, RequestState } from "../http/request-context.ts";
import { addPageFile } from "../http/page-files.ts";
import type { Endpoints, RouteDependencies } from "../http/routes.ts";
import { answerDownload, type DownloadDependencies } from "../http/downloads.ts";
import { SEARCH_SCOPE } from "../search/define-search.ts";
import {
  DOWNLOAD,
  FOLDER,
  KEY,
  START,
  SUGGEST,
  addressOfFound,
  changeQuery,
  isPage,
  pathToRoot,
} from "./addresses.ts";
import { advancedPage } from "./advanced.tsx";
import { openAsk, type AskDependencies, answerKeyForm, forgetVisitorKey, takeVisitorKey } from "./asking.ts";
import { overviewPage } from "./company/overview.tsx";
import { controlPage, peoplePage } from "./company/people.tsx";
import { chargesPage, establishmentsPage, filingsPage, insolvencyPage } from "./company/records.tsx";
import { timelinePage } from "./company/timeline.tsx";
import { valueOf, type PageDefinition, type Shown, type Ask } from "./define-page.ts";
import { faultPage, type KeyForm } from "./fault.tsx";
import { kindOf, type Kind } from "./kinds.ts";
import { renderPage, type Assets } from "./layout.tsx";
import { controllerPage, corporatePage, naturalPage, officerPage } from "./person.tsx";
import { searchPage } from "./search.tsx";
import { alphabetPage, startPage } from "./start.tsx";
import type { Found } from "./answers.ts";
import { describeFound, wordsOf } from "./words.ts";

export const pages: readonly PageDefinition[] = [
  startPage,
  searchPage,
  advancedPage,
  alphabetPage,
  overviewPage,
  peoplePage,
  controlPage,
  filingsPage,
  chargesPage,
  insolvencyPage,
  establishmentsPage,
  timelinePage,
  officerPage,
  controllerPage,
  naturalPage,
  corporatePage,
];

/** Who may see pages: nobody, visitors with an API key, everybody. */
export type PageAccess = "off" | "key" | "open";

interface PageOptions extends RouteDependencies, Pick<DownloadDependencies, "downloads"> {
  endpoints: Endpoints;
  access: PageAccess;
  baseOf: BaseOf;
}

interface Pages {
  /** Wraps the API's error handling, and shows errors of pages as pages; absent if pages are off. */
  frame?: Middleware<RequestState>;
  /** Serves the files that pages load, to everybody, without the rate limit. */
  files: Router<RequestState>;
  /** Serves the pages themselves, behind the rate limit. */
  router: Router<RequestState>;
}

const CONTENT_POLICY = contentPolicy(
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
);

/** The challenge for programs: the key is the user name, without a password. */
const BASIC = 'Basic realm="Company Register", charset="UTF-8"';
/** The challenge for browsers. They do not know this scheme, so they show the page, which has the form. */
const FORM = 'Form realm="Company Register"';

/** Makes the pages; if `access` is `off`, their addresses do not exist. */
export function buildPages(options: PageOptions): Pages {
  const router = new Router<RequestState>();
  const { access, baseOf } = options;
  if (access === "off") return { files: router, router };
  const { assets, router: files } = buildAssets();
  const asking = { ...options, isOpen: access === "open" };
  const reach = reachOf(options.endpoints);
  if (access === "key") router.post(KEY, (ctx) => answerKeyForm(ctx, baseOf));
  router.use(({ state: { refusal } }, next) => {
    const isNobody = refusal instanceof AuthenticationError && refusal.isEmpty;
    // A wrong key is refused even if no key is needed, because the caller meant to use it.
    if (refusal && !(access === "open" && isNobody)) throw refusal;
    return next();
  });
  for (const { name, path, show } of pages)
    router.get(path, async (ctx) => {
      ctx.state.route = name;
      const { params, query } = ctx;
      const today = toDay(asking.clock());
      const shown = await show({ ask: openAsk(ctx, asking), params, query, today, reach });
      if (!shown) throw new ApiError(404, [serviceError("resource-not-found")]);
      sendPage(ctx, shown, assets);
      const etag = createHash("sha1").update(String(ctx.body)).digest("hex");
      // Without an ETag the page is not stored: nobody may go back to what a key has opened once it is forgotten.
      answerConditionally(ctx, ctx.state.hasVisitorKey ? undefined : etag);
    });
  router.get(SUGGEST, answerSuggestions(asking));
  const [download] = options.endpoints.downloads;
  const mayDownload: Middleware<RequestState> = (ctx, next) => {
    if (!asking.isOpen) requireScope(ctx, SEARCH_SCOPE);
    return next();
  };
  if (download) router.get(DOWNLOAD, mayDownload, answerDownload(download, options));
  router.all([START, FOLDER, `${FOLDER}/{*rest}`], ({ method }) => {
    if (method === "GET" || method === "HEAD") throw new ApiError(404, [serviceError("resource-not-found")]);
    throw new ApiError(405, [serviceError("invalid-http-method")]);
  });
  return { frame: showFaults(assets, access === "key", baseOf), files, router };
}

/** How many rows a search by relevance returns without a cursor. */
function reachOf({ searches }: Endpoints): number {
  const start = searches.find(({ name }) => name === "search-all")?.parameters.start_index;
  return (start?.kind === "integer" ? start.window : undefined) ?? Infinity;
}

function sendPage(ctx: AppContext, shown: Shown, assets: Assets): void {
  ctx.set("Content-Security-Policy", CONTENT_POLICY);
  ctx.set("Referrer-Policy", "same-origin");
  // People should be found by a search here, not at a search engine. And robots would use up the limits.
  ctx.set("X-Robots-Tag", "noindex, nofollow");
  ctx.type = "text/html; charset=utf-8";
  const hasKey = ctx.state.hasVisitorKey === true;
  ctx.body = renderPage({ ...shown, hasKey }, assets, pathToRoot(ctx.path));
}

/** Answers the script of the search box with suggestions. */
function answerSuggestions(asking: AskDependencies): Middleware<RequestState> {
  return async (ctx) => {
    ctx.state.route = "page-suggestions";
    const kind = kindOf(valueOf(ctx.query, "kind"));
    const items = await fetchSuggestions(openAsk(ctx, asking), kind, valueOf(ctx.query, "q"));
    sendJson(ctx, { items });
    answerConditionally(ctx, undefined);
  };
}

/**
 * Shows every error at the address of a page as a page, with its status and headers. If pages need a key, a visitor
 * without one gets a form for it.
 */
function showFaults(assets: Assets, needsKey: boolean, baseOf: BaseOf): Middleware<RequestState> {
  return async (ctx, next) => {
    const isProgram = ctx.headers.authorization !== undefined;
    const isKept = needsKey && takeVisitorKey(ctx, baseOf);
    ctx.state.hasVisitorKey = isKept;
    await next();
    const { path, status, headerSent } = ctx;
    if (!isPage(path) || status < 400 || headerSent) return;
    if (!needsKey || status !== 401 || isProgram) return showFault(ctx, assets);
    if (isKept) forgetVisitorKey(ctx, baseOf);
    ctx.state.hasVisitorKey = false;
    showFault(ctx, assets, { to: ctx.url, isWrong: isKept });
  };
}

function showFault(ctx: AppContext, assets: Assets, form?: KeyForm): void {
  const { status } = ctx;
  const body: unknown = ctx.body;
  if (status === 401) ctx.set("WWW-Authenticate", form ? FORM : BASIC);
  const retryAfter = retryAfterOf(ctx);
  if (retryAfter) ctx.set("Retry-After", retryAfter);
  const first = changeQuery(ctx.path, ctx.query, { page: "" });
  sendPage(ctx, faultPage({ status, body, retryAfter, form, first }), assets);
  ctx.status = status;
}

/** The value of Retry-After in seconds: the one that is already set, or the time until the rate limit's window ends. */
function retryAfterOf({ status, response }: AppContext): string | undefined {
  const given = response.get("Retry-After");
  if (given || status !== 429) return given || undefined;
  const seconds = Number(response.get("X-Ratelimit-Reset")) - Date.now() / 1000;
  return Number.isFinite(seconds) ? String(Math.max(1, Math.ceil(seconds))) : undefined;
}

// The order matters: rules for screens come last.
const STYLES = ["search", "results", "records", "pictures", "screens"];

/** Reads the files that pages load, and makes their routes. */
function buildAssets(): { assets: Assets; router: Router<RequestState> } {
  const router = new Router<RequestState>();
  const { style, mark } = sharedFiles();
  const add = (file: typeof mark) => addPageFile(router, `${FOLDER}/assets`, file);
  const assets = {
    style: add(toStyle([style.text, ...STYLES.map((name) => readOwn(`${name}.css`))])),
    mark: add(mark),
    script: add(toPageFile("script", "js", "text/javascript; charset=utf-8", readOwn("pages.js"))),
  };
  return { assets, router };
}

function readOwn(file: string): string {
  return readFileSync(new URL(`assets/${file}`, import.meta.url), "utf8");
}

/** Most suggestions; a longer list would hide the page. */
const SUGGESTIONS = 7;

export interface Suggestion {
  name: string;
  /** A few words that tell it from others with the same name. */
  facts: string;
  /** Its page, relative to the root. */
  to: string;
}

/** Fetches suggestions. For all kinds together it suggests only companies, which have a search for unfinished names. */
async function fetchSuggestions(ask: Ask, { search }: Kind, q: string): Promise<Suggestion[]> {
  const isOfCompanies = search === "search-all" || search === "search-companies";
  const found = await ask(isOfCompanies ? "suggest-companies" : search, {
    q,
    items_per_page: String(SUGGESTIONS),
  });
  return (found?.items ?? []).map(isOfCompanies ? suggestCompany : suggestPerson);
}

function suggestCompany(found: Found): Suggestion {
  const { title, snippet, company_number: number = "", company_status: status } = found;
  const standing = status && status !== "active" ? wordsOf("company_status", status) : "";
  return {
    name: snippet ? `${title} (${snippet})` : title,
    facts: [number, standing].filter(Boolean).join(" · "),
    to: addressOfFound(found).slice(1),
  };
}

function suggestPerson(found: Found): Suggestion {
  const facts = describeFound(found.description) || (found.address_snippet ?? "");
  return { name: found.title, facts, to: addressOfFound(found).slice(1) };
}
