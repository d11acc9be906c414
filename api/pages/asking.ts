/**
 * Owns how pages get answers: from the API's definitions by name, in this process, with the visitor's permissions.
 *
 * Where pages need a key, a cookie keeps the one that the visitor enters until the browser is closed, and with each page it
 * counts as the key of HTTP Basic. The browser's own dialog for HTTP Basic says neither what to enter nor how to leave.
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
  /** True: every visitor of a page may see all that it shows; else the scopes of the visitor's key count. */
  isOpen: boolean;
}

/** The function with which a request's page gets its answers. */
export function openAsk(ctx: AppContext, dependencies: AskDependencies): Ask {
  const { resources, searches } = dependencies.endpoints;
  return async <Name extends keyof Answers>(name: Name, values: RawQuery) => {
    const resource = resources.find((one) => one.name === name);
    const search = searches.find((one) => one.name === name);
    const answer = resource
      ? await askResource(ctx, resource, values, dependencies)
      : search && (await askSearch(ctx, search, values, dependencies));
    if (answer === undefined) throw new Error(`there is no definition ${name} to ask`);
    // The cast: the table of answers has the type of this definition's answer.
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
// Limit: no key is longer, and browsers keep no long cookie.
const LONGEST_KEY = 256;

/** True when the request has the visitor's key now, from the cookie. A program's own key comes first. */
export function takeVisitorKey(ctx: AppContext, baseOf: BaseOf): boolean {
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  if (!isRead || !isPage(ctx.path) || ctx.headers.authorization !== undefined) return false;
  const key = Buffer.from(readCookie(ctx, baseOf(ctx), COOKIE), "base64url").toString();
  if (key === "") return false;
  ctx.req.headers.authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  return true;
}

/** Deletes the cookie. */
export function forgetVisitorKey(ctx: AppContext, baseOf: BaseOf): void {
  writeCookie(ctx, baseOf(ctx), COOKIE, null);
}

/** Answers the form: keeps the key, or forgets it when the field is empty, and goes back to the page. */
export function answerKeyForm(ctx: AppContext, baseOf: BaseOf): void {
  ctx.state.route = "page-key";
  // The cast: what the body parser makes of a form.
  const { key, to } = (ctx.request.body ?? {}) as Record<string, unknown>;
  // One that cannot be right is kept, too: the page then says that the register does not know it.
  const given = typeof key === "string" ? key.trim().slice(0, LONGEST_KEY) : "";
  const base = baseOf(ctx);
  // Another site must not leave its own key here.
  if (!isSameOrigin(ctx, base)) throw new ApiError(403, [serviceError(FOREIGN_FORM)]);
  writeCookie(ctx, base, COOKIE, given === "" ? null : Buffer.from(given).toString("base64url"));
  ctx.set("Cache-Control", "no-store");
  ctx.status = 303;
  // Relative, so that it works below any prefix of a proxy.
  ctx.set("Location", `..${pageIn(to)}`);
  ctx.body = "";
}

/** The page that was asked for, with its query; the start page for anything else. */
function pageIn(to: unknown): string {
  const ours = "http://register.invalid";
  if (typeof to !== "string" || !URL.canParse(to, ours)) return START;
  const { origin, pathname, search } = new URL(to, ours);
  return origin === ours && isPage(pathname) ? pathname + search : START;
}
