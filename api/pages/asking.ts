/**
 * How pages get answers: from the API's definitions by name, in this process, with the visitor's permissions.
 *
 * If pages need a key, a cookie keeps the visitor's key until the browser is closed. For each page the key counts as if
 * it had come by HTTP Basic. The browser's own dialog for HTTP Basic is not used: it says neither what to enter, nor
 * how to remove the key again.
 */
import { toDay } from "../shared/values/dates.ts";
import {
  fetchResource,
  fetchSearch,
  isNothingFound,
  withCoverage,
  type AnswerDependencies,
} from "../http/answers.ts";
import { requireScope } from "../http/auth/identify.ts";
import type { AppContext, BaseOf } from "../http/request-context.ts";
import { callerOf, type Endpoints } from "../http/routes.ts";
import type { ResourceDefinition } from "../resources/define-resource.ts";
import { SEARCH_SCOPE, versionsOf, type SearchDefinition } from "../search/define-search.ts";
import type { RawQuery } from "../shared/schemas/query-parameters.ts";
import type { Answers } from "./answers.ts";
import type { Ask } from "./define-page.ts";
import { isSameOrigin, readCookie, writeCookie } from "../http/own-cookies.ts";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import { isPage, START } from "./addresses.ts";
import { FOREIGN_FORM } from "./fault.tsx";

export interface AskDependencies extends AnswerDependencies {
  endpoints: Pick<Endpoints, "resources" | "searches">;
  clock: () => Date;
  /** True: every visitor may see everything on a page. False: the scopes of the visitor's key decide. */
  isOpen: boolean;
}

/** Makes the function by which the page of a request gets its answers. */
export function openAsk(ctx: AppContext, dependencies: AskDependencies): Ask {
  const { resources, searches } = dependencies.endpoints;
  return async <Name extends keyof Answers>(name: Name, values: RawQuery) => {
    const resource = resources.find((one) => one.name === name);
    const search = searches.find((one) => one.name === name);
    const answer = resource
      ? await askResource(ctx, resource, values, dependencies)
      : search && (await askSearch(ctx, search, values, dependencies));
    if (answer === undefined) throw new Error(`there is no definition ${name} to ask`);
    // The cast: `Answers` has the type of this definition's answer.
    return answer as Answers[Name] | null;
  };
}

async function askResource(
  ctx: AppContext,
  resource: ResourceDefinition,
  values: RawQuery,
  dependencies: AskDependencies,
): Promise<Record<string, unknown> | null> {
  const names = [...resource.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const path = Object.fromEntries(names.map((name) => [name, String(values[name] ?? "")]));
  // A key has the same permissions on pages as at the API.
  if (!resource.isOpen && !dependencies.isOpen) requireScope(ctx, resource.scope, path.company_number);
  const asked = { path, query: values, caller: callerOf(ctx), budget: ctx.state.budget };
  const { read, coverage } = await fetchResource(resource, asked, dependencies);
  if (read === null) return null;
  const shown = resource.versions[0].present(read, { today: toDay(dependencies.clock()) });
  return withCoverage(shown, resource, coverage);
}

async function askSearch(
  ctx: AppContext,
  search: SearchDefinition,
  values: RawQuery,
  dependencies: AskDependencies,
): Promise<Record<string, unknown> | null> {
  if (!dependencies.isOpen) requireScope(ctx, search.scope ?? SEARCH_SCOPE);
  const asked = { query: values, caller: callerOf(ctx), budget: ctx.state.budget };
  const today = toDay(dependencies.clock());
  const [{ mapResponse }] = versionsOf(search);
  return fetchSearch(search, asked, dependencies, (result, values) =>
    mapResponse(result, values, { today }),
  ).catch((error: unknown) => {
    if (isNothingFound(error)) return null;
    throw error;
  });
}

const COOKIE = "register-key";
// Limit: no key is longer, and browsers do not store long cookies.
const LONGEST_KEY = 256;

/**
 * Gives a request for a page the visitor's key from the cookie, as HTTP Basic, and returns whether it did. A key that a
 * program sends itself takes precedence.
 */
export function takeVisitorKey(ctx: AppContext, baseOf: BaseOf): boolean {
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (!isRead || !isPage(ctx.path) || ctx.headers.authorization !== undefined) return false;
  const key = Buffer.from(readCookie(ctx, baseOf(ctx), COOKIE), "base64url").toString();
  if (key === "") return false;
  ctx.req.headers.authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  return true;
}

/** Deletes the cookie with the visitor's key. */
export function forgetVisitorKey(ctx: AppContext, baseOf: BaseOf): void {
  writeCookie(ctx, baseOf(ctx), COOKIE, null);
}

/** Answers the form for a key: stores it in the cookie, or deletes that for an empty field; returns to the page. */
export function answerKeyForm(ctx: AppContext, baseOf: BaseOf): void {
  ctx.state.route = "page-key";
  // The cast: the body parser makes an object of a form.
  const { key, to } = (ctx.request.body ?? {}) as Record<string, unknown>;
  // Impossible keys are stored, too: the next page then says that the register does not know the key.
  const given = typeof key === "string" ? key.trim().slice(0, LONGEST_KEY) : "";
  const base = baseOf(ctx);
  // Another site must not be able to store its own key in the visitor's browser.
  if (!isSameOrigin(ctx, base)) throw new ApiError(403, [serviceError(FOREIGN_FORM)]);
  writeCookie(ctx, base, COOKIE, given === "" ? null : Buffer.from(given).toString("base64url"));
  ctx.set("Cache-Control", "no-store");
  ctx.status = 303;
  // Relative, so that it works below any path prefix of a proxy.
  ctx.set("Location", `..${pageIn(to)}`);
  ctx.body = "";
}

/** The page that the visitor asked for, with its query; the start page for anything else, such as another site. */
function pageIn(to: unknown): string {
  const ours = "http://register.invalid";
  if (typeof to !== "string" || !URL.canParse(to, ours)) return START;
  const { origin, pathname, search } = new URL(to, ours);
  return origin === ours && isPage(pathname) ? pathname + search : START;
}
