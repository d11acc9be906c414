/** Owns the way from definitions to routes: every resource and every search gets its handler here. */
import Router from "@koa/router";
import { toDay } from "../core/dates.ts";
import { ApiError } from "../core/errors.ts";
import { parseCompanyNumber } from "../core/company-number.ts";
import { parseQuery } from "../core/query-parameters.ts";
import type { Stores } from "../core/stores/index.ts";
import { compileCheck, type Check, type JsonSchema } from "../core/validate.ts";
import type { PathValues, ResourceDefinition } from "../resources/define-resource.ts";
import type { SearchBody, SearchDefinition, SearchResult } from "../search/define-search.ts";
import { serviceError } from "./error-response.ts";
import type { AppContext, RequestState } from "./request-context.ts";

/** What the handlers need. */
export interface RouteDependencies {
  stores: Pick<Stores, "mongo" | "elasticsearch">;
  clock: () => Date;
  /** True: an answer that breaks its own schema is an error. False: it is sent and logged. */
  strictAnswers: boolean;
}

/** Routes of all resources and searches. */
export function buildRoutes(
  resources: readonly ResourceDefinition[],
  searches: readonly SearchDefinition[],
  dependencies: RouteDependencies,
): Router<RequestState> {
  const router = new Router<RequestState>();
  for (const resource of resources) addResource(router, resource, dependencies);
  for (const search of searches) addSearch(router, search, dependencies);
  return router;
}

function addResource(
  router: Router<RequestState>,
  resource: ResourceDefinition,
  dependencies: RouteDependencies,
): void {
  const [version] = resource.versions;
  const answer = createAnswer(version.schema, dependencies.strictAnswers);
  router.get(resource.path, async (ctx) => {
    ctx.state.route = resource.name;
    const query = parseQuery(resource.parameters, ctx.query);
    const path = canonicalPath(ctx.params);
    const read = path && (await resource.read(dependencies.stores.mongo.records, path, query));
    if (read === null) throw new ApiError(404, [serviceError(resource.notFound)]);
    const etag = resource.etag?.(read);
    if (etag) ctx.set("ETag", `"${etag}"`);
    answer(ctx, version.present(read, { today: toDay(dependencies.clock()) }));
  });
}

function addSearch(
  router: Router<RequestState>,
  search: SearchDefinition,
  dependencies: RouteDependencies,
): void {
  const answer = createAnswer(search.schema, dependencies.strictAnswers);
  router.get(search.path, async (ctx) => {
    ctx.state.route = search.name;
    const values = parseQuery(search.parameters, ctx.query);
    const result = await searchInPhases(dependencies, search, search.buildQueries(values));
    answer(ctx, search.mapResponse(result, values));
  });
}

/** The next body is sent only when the one before found nothing. */
async function searchInPhases(
  { stores }: RouteDependencies,
  search: SearchDefinition,
  bodies: SearchBody[],
): Promise<SearchResult> {
  let result: SearchResult = { total: 0, hits: [] };
  for (const body of bodies) {
    result = await stores.elasticsearch.search(search.indices, body);
    if (result.total > 0) break;
  }
  return result;
}

/** Path values in canonical form; null when one cannot name anything, which is a 404. */
function canonicalPath(path: PathValues): PathValues | null {
  const { company_number: given } = path;
  if (given === undefined) return path;
  const number = parseCompanyNumber(given);
  return number === null ? null : { ...path, company_number: number };
}

type Answer = (ctx: AppContext, body: Record<string, unknown>) => void;

function createAnswer(schema: JsonSchema, isStrict: boolean): Answer {
  const check: Check = compileCheck(schema);
  return (ctx, body) => {
    const fault = check(body);
    if (fault && isStrict) throw new Error(`the answer breaks its schema: ${fault.field} ${fault.reason}`);
    if (fault) ctx.state.log.error({ fault }, "answer breaks its schema");
    ctx.body = body;
  };
}
