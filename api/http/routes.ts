/** Makes routes from definitions: every resource and every search gets its handler here. */
import { METHODS } from "node:http";
import Router from "@koa/router";
import { toDay } from "../shared/values/dates.ts";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { Check, CompileCheck, JsonSchema } from "../shared/schemas/validate.ts";
import { EXPIRED_BY_DEFAULT, type ResourceDefinition } from "../resources/define-resource.ts";
import {
  SEARCH_SCOPE,
  versionsOf,
  type DownloadDefinition,
  type SearchDefinition,
} from "../search/define-search.ts";
import type { IndexName } from "../shared/definitions/define-index.ts";
import { requireAccess } from "./auth/identify.ts";
import { callsOf } from "./limits/rate-limit.ts";
import {
  fetchResource,
  fetchSearch,
  withCoverage,
  type AnswerDependencies,
  setCoverage,
  type SetSearchCoverage,
} from "./answers.ts";
import { answerConditionally, etagOfAnswer, sendJson } from "./sending.ts";
import type { AppContext, RequestState } from "./request-context.ts";
import { createNegotiation, type Agreement, type NumberedVersion } from "./versioning.ts";

/** What the handlers need. */
export interface RouteDependencies extends AnswerDependencies {
  clock: () => Date;
  /** The vendor part of media types. */
  vendor: string;
  setSearchCoverage: SetSearchCoverage;
  /** Given in tests: each answer is checked against its schema, and one that breaks it is an error. */
  compileCheck?: CompileCheck | undefined;
}

/** Everything that the API answers. */
export interface Endpoints {
  resources: readonly ResourceDefinition[];
  searches: readonly SearchDefinition[];
  downloads: readonly DownloadDefinition[];
  /** True when the reconciliation service is served, too. */
  hasReconciliation?: boolean;
}

/** Routes of all resources and searches. */
export function buildRoutes(
  { resources, searches }: Pick<Endpoints, "resources" | "searches">,
  dependencies: RouteDependencies,
): Router<RequestState> {
  // All methods that Node accepts: methods that are not listed here get 501 from the router instead of 405.
  const router = new Router<RequestState>({ methods: METHODS });
  for (const resource of resources) addResource(router, resource, dependencies);
  for (const search of searches) addSearch(router, search, dependencies);
  return router;
}

function addResource(
  router: Router<RequestState>,
  resource: ResourceDefinition,
  dependencies: RouteDependencies,
): void {
  const { name, aliases, expired = EXPIRED_BY_DEFAULT } = resource;
  const versions = resource.versions.map((version) => checked(version, dependencies));
  const negotiate = createNegotiation(dependencies.vendor, { name, aliases, expired, versions });
  router.get(resource.path, requireAccess(resource), async (ctx) => {
    const today = toDay(dependencies.clock());
    const agreed = startAnswer(ctx, name, () => negotiate(ctx.headers.accept, today));
    const asked = {
      ...{ path: ctx.params, query: ctx.query },
      caller: callerOf(ctx),
      budget: ctx.state.budget,
    };
    const { read, notFound, coverage } = await fetchResource(resource, asked, dependencies);
    if (coverage) setCoverage(ctx, resource.record?.name ?? name, coverage);
    if (read === null) throw notFound ?? new ApiError(404, [serviceError(resource.notFound)]);
    const shown = agreed.version.present(read, { today });
    const body = withCoverage(shown, resource, coverage);
    const text = sendAnswer(ctx, agreed, body);
    // Without the day of the coverage: each load changes it, and would change the ETag of every list.
    const known = body === shown ? text : JSON.stringify({ ...shown, loaded: coverage?.loaded });
    answerConditionally(ctx, resource.hasEtag ? etagOfAnswer(known) : undefined);
  });
}

function addSearch(
  router: Router<RequestState>,
  search: SearchDefinition,
  dependencies: RouteDependencies,
): void {
  const { name, aliases, expired = EXPIRED_BY_DEFAULT } = search;
  const versions = versionsOf(search).map((version) => checked(version, dependencies));
  const negotiate = createNegotiation(dependencies.vendor, { name, aliases, expired, versions });
  router.get(search.path, requireAccess({ scope: search.scope ?? SEARCH_SCOPE }), async (ctx) => {
    const today = toDay(dependencies.clock());
    const agreed = startAnswer(ctx, name, () => negotiate(ctx.headers.accept, today));
    const asked = {
      ...{ query: ctx.query, caller: callerOf(ctx), budget: ctx.state.budget },
      onTurn: (indices: readonly IndexName[]) => dependencies.setSearchCoverage(ctx, indices),
    };
    const found = await fetchSearch(search, asked, dependencies, (result, values) => {
      sendAnswer(ctx, agreed, agreed.version.mapResponse(result, values, { today }));
      return result.hits.length;
    });
    if (callsOf(found) > 1) await ctx.state.charge?.(callsOf(found) - 1);
    answerConditionally(ctx, undefined);
  });
}

/** The name by which the caller's calls and work are counted. */
export function callerOf({ state }: AppContext): string {
  return state.principal?.countedAs ?? "";
}

/** A version with the check of its own schema, where answers are checked. */
type Checked<V> = V & { check?: Check };

function checked<V extends NumberedVersion & { schema: JsonSchema }>(
  version: V,
  { compileCheck }: RouteDependencies,
): Checked<V> {
  return compileCheck ? { ...version, check: compileCheck(version.schema) } : version;
}

/** Names the route for the log, and settles the version before anything is read. */
function startAnswer<V extends NumberedVersion>(
  ctx: AppContext,
  route: string,
  negotiate: () => Agreement<V>,
): Agreement<V> {
  ctx.state.route = route;
  ctx.vary("Accept");
  return negotiate();
}

/** Sends a body as JSON; returns its text. Throws where answers are checked and it breaks its schema. */
function sendAnswer(
  ctx: AppContext,
  { version, mediaType, headers }: Agreement<Checked<NumberedVersion>>,
  body: Record<string, unknown>,
): string {
  const fault = version.check?.(body);
  if (fault) throw new Error(`the answer breaks its schema: ${fault.field} ${fault.reason}`);
  ctx.set(headers);
  return sendJson(ctx, body, mediaType);
}
