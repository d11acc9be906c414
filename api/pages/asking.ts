/** Owns how pages get answers: from the API's definitions by name, in this process, with the visitor's permissions. */
import { hasScope, type ScopeName } from "../shared/access/scopes.ts";
import { parsePathNumber } from "../shared/values/company-number.ts";
import { ApiError } from "../shared/runtime/errors.ts";
import { toDay } from "../shared/values/dates.ts";
import {
  fetchResource,
  fetchSearch,
  isNothingFound,
  withCoverage,
  type AnswerDependencies,
} from "../http/answers.ts";
import { serviceError } from "../http/error-response.ts";
import type { AppContext } from "../http/request-context.ts";
import { callerOf, type Endpoints } from "../http/routes.ts";
import type { ResourceDefinition } from "../resources/define-resource.ts";
import { SEARCH_SCOPE, versionsOf, type SearchDefinition } from "../search/define-search.ts";
import type { Answers } from "./answers/index.ts";
import type { Ask } from "./define-page.ts";

/** What pages need. */
export interface AskDependencies extends AnswerDependencies {
  endpoints: Pick<Endpoints, "resources" | "searches">;
  clock: () => Date;
  /** True: every visitor of a page may see all that it shows; else the scopes of the visitor's key count. */
  isOpen: boolean;
}

type Values = Readonly<Record<string, string | readonly string[]>>;

/** The function with which a request's page gets its answers. */
export function openAsk(ctx: AppContext, dependencies: AskDependencies): Ask {
  const { resources, searches } = dependencies.endpoints;
  return async <Name extends keyof Answers>(name: Name, values: Values) => {
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
  values: Values,
  dependencies: AskDependencies,
): Promise<Record<string, unknown> | null> {
  const names = [...resource.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const path = Object.fromEntries(names.map((name) => [name, String(values[name] ?? "")]));
  if (!resource.isOpen) requireScope(ctx, resource.scope, dependencies, path.company_number);
  const asked = { path, query: toQuery(values), budget: ctx.state.budget };
  const { read, coverage } = await fetchResource(resource, asked, dependencies);
  if (read === null) return null;
  const shown = resource.versions[0].present(read, { today: toDay(dependencies.clock()) });
  return withCoverage(shown, resource, coverage);
}

async function askSearch(
  ctx: AppContext,
  search: SearchDefinition,
  values: Values,
  dependencies: AskDependencies,
): Promise<Record<string, unknown> | null> {
  requireScope(ctx, search.scope ?? SEARCH_SCOPE, dependencies);
  const asked = { query: toQuery(values), caller: callerOf(ctx), budget: ctx.state.budget };
  const found = await fetchSearch(search, asked, dependencies).catch((error: unknown) => {
    if (isNothingFound(error)) return null;
    throw error;
  });
  const today = toDay(dependencies.clock());
  return found && versionsOf(search)[0].mapResponse(found.result, found.values, { today });
}

/** A key has the same permissions on pages as at the API. */
export function requireScope(
  ctx: AppContext,
  scope: ScopeName,
  { isOpen }: Pick<AskDependencies, "isOpen">,
  given?: string,
): void {
  const company = given === undefined ? null : parsePathNumber(given);
  if (isOpen || hasScope(ctx.state.principal?.scopes, scope, company ?? undefined)) return;
  throw new ApiError(403, [serviceError("access-denied")]);
}

function toQuery(values: Values): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}
