/**
 * The routes of the reconciliation service (Reconciliation Service API 0.2), for OpenRefine and similar clients. They
 * read the request, ask the matcher, and present its answer.
 */
import Router from "@koa/router";
import { ApiError, serviceError } from "../../shared/runtime/errors.ts";
import { parseQuery } from "../../shared/schemas/query-parameters.ts";
import { MATCH_TYPES, type MatchType } from "../../matching/define-match.ts";
import { matchings, matchAll } from "../../matching/matcher.ts";
import {
  entityTypes,
  fetchEntities,
  suggestEntities,
  suggestNamed,
  type Entity,
} from "../../matching/reconciliation/entities.ts";
import {
  describeProperties,
  presentExtension,
  properties,
  proposeProperties,
} from "../../matching/reconciliation/properties.ts";
import { buildManifest, RECONCILE } from "../../matching/reconciliation/manifest.ts";
import { openPreviews } from "../../matching/reconciliation/preview.tsx";
import {
  parseBatch,
  parseExtend,
  refusal,
  personIdIn,
  presentCandidate,
  presentResult,
  type ReconcileQuery,
} from "../../matching/reconciliation/queries.ts";
import { SEARCH_SCOPE } from "../../search/define-search.ts";
import { isWorthCaching } from "../../search/phases.ts";
import { askWithSpellings } from "../../search/near-words.ts";
import { requireAccess } from "../auth/identify.ts";
import { answerConditionally, sendJson } from "../sending.ts";
import type { AppContext, BaseOf, RequestState } from "../request-context.ts";
import { callerOf, type RouteDependencies } from "../routes.ts";
import { reconcileParameters } from "./parameters.ts";
import type { Budget } from "../../shared/runtime/deadlines.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";

// Tuned: queries sent to the engine together. Each group counts as one running search.
const GROUP = 5;
const [DEFAULT_TYPE] = MATCH_TYPES;

interface ReconcileDependencies extends RouteDependencies {
  baseOf: BaseOf;
}

type Service = ReturnType<typeof openService>;

/** Builds the routes. The manifest needs no key; everything else needs the scope of searches. */
export function buildReconcileRoutes(dependencies: ReconcileDependencies): Router<RequestState> {
  const router = new Router<RequestState>();
  const service = openService(dependencies);
  const checkAccess = requireAccess({ scope: SEARCH_SCOPE });
  const answer = async (ctx: AppContext, { queries, extend }: Record<string, unknown>): Promise<void> => {
    ctx.state.route = "reconcile";
    if (typeof queries === "string") await checkAccess(ctx, () => answerQueries(ctx, service, queries));
    else if (typeof extend === "string") await checkAccess(ctx, () => answerExtension(ctx, service, extend));
    else if (ctx.method === "POST") throw refusal("queries", "the form must have queries or extend");
    else sendManifest(ctx, dependencies.baseOf(ctx));
  };
  router.get(RECONCILE, (ctx) => answer(ctx, ctx.query));
  // The cast: the body parser makes an object of a form.
  router.post(RECONCILE, (ctx) => answer(ctx, (ctx.request.body ?? {}) as Record<string, unknown>));
  router.get(`${RECONCILE}/suggest/entity`, checkAccess, (ctx) => answerEntities(ctx, service));
  for (const [kind, named] of Object.entries({ property: describeProperties(properties), type: entityTypes }))
    router.get(`${RECONCILE}/suggest/${kind}`, checkAccess, (ctx) => {
      ctx.state.route = `reconcile-suggest-${kind}`;
      const { prefix = "", cursor } = parseQuery(reconcileParameters[`${RECONCILE}/suggest/type`], ctx.query);
      answerJson(ctx, suggestNamed(named, { prefix, cursor }));
    });
  router.get(`${RECONCILE}/properties`, checkAccess, (ctx) => {
    ctx.state.route = "reconcile-properties";
    const { type, limit } = parseQuery(reconcileParameters[`${RECONCILE}/properties`], ctx.query);
    const asked = ctx.query.limit === undefined ? undefined : limit;
    answerJson(ctx, proposeProperties(typeIn(type) ?? DEFAULT_TYPE, asked));
  });
  router.get(`${RECONCILE}/preview/:id`, checkAccess, (ctx) =>
    answerPreview(ctx, service, ctx.params.id ?? ""),
  );
  return router;
}

function openService({ stores, searchesUnderWay, setSearchCoverage }: ReconcileDependencies) {
  return {
    elasticsearch: stores.elasticsearch,
    preview: openPreviews(),
    /** Runs a request for entities of these types when it is its turn. */
    inTurn: <T>(ctx: AppContext, types: readonly MatchType[], work: () => Promise<T>): Promise<T> =>
      searchesUnderWay.run(callerOf(ctx), ctx.state.budget, async () => {
        const indices = types.map((type) => matchings[type].index);
        await setSearchCoverage(ctx, indices);
        return work();
      }),
  };
}

/** Any page may read the manifest, which contains no register data; other answers go to registered origins only. */
function sendManifest(ctx: AppContext, base: string): void {
  if (!ctx.response.get("Access-Control-Allow-Origin")) ctx.set("Access-Control-Allow-Origin", "*");
  answerJson(ctx, buildManifest(base, base + (ctx.state.keyedPath ?? RECONCILE)));
}

/** Each query counts as a call. */
async function answerQueries(ctx: AppContext, service: Service, text: string): Promise<void> {
  const queries = parseBatch(text);
  if (queries.length > 1) await ctx.state.charge?.(queries.length - 1);
  // Entries, because the client chooses the keys, and one may be `__proto__`.
  const results: [string, unknown][] = [];
  for (let start = 0; start < queries.length; start += GROUP) {
    const group = queries.slice(start, start + GROUP);
    const types = new Set(group.flatMap(({ questions }) => questions.map(({ type }) => type)));
    const answers = await service.inTurn(ctx, [...types], () =>
      matchQueries(service.elasticsearch, group, ctx.state.budget),
    );
    for (const [at, { key }] of group.entries()) results.push([key, answers[at]]);
  }
  answerJson(ctx, Object.fromEntries(results));
}

/** Each entity counts as a call. */
async function answerExtension(ctx: AppContext, service: Service, text: string): Promise<void> {
  const query = parseExtend(text);
  if (query.ids.length > 1) await ctx.state.charge?.(query.ids.length - 1);
  const found = await service.inTurn(ctx, MATCH_TYPES, () =>
    fetchEntities(service.elasticsearch, query.ids, ctx.state.budget),
  );
  answerJson(ctx, presentExtension(query, found));
}

async function answerEntities(ctx: AppContext, { elasticsearch, inTurn }: Service): Promise<void> {
  ctx.state.route = "reconcile-suggest-entity";
  const values = parseQuery(reconcileParameters[`${RECONCILE}/suggest/entity`], ctx.query);
  const { prefix = "", cursor } = values;
  const type = typeIn(values.type);
  const limits = { budget: ctx.state.budget, isCached: isWorthCaching({ q: prefix, cursor }) };
  const askOf = (each: MatchType) => askWithSpellings(elasticsearch, [matchings[each].index], limits);
  const found = await inTurn(ctx, type ? [type] : MATCH_TYPES, () =>
    suggestEntities(askOf, type, { prefix, cursor }),
  );
  answerJson(ctx, found);
}

/** The cast: the parameter accepts only the names of types. */
function typeIn(text: string | undefined): MatchType | undefined {
  return text as MatchType | undefined;
}

async function answerPreview(ctx: AppContext, service: Service, id: string): Promise<void> {
  ctx.state.route = "reconcile-preview";
  const found = await service.inTurn(ctx, [], () =>
    fetchEntities(service.elasticsearch, [id], ctx.state.budget),
  );
  const entity = found.get(id);
  if (!entity) throw new ApiError(404, [serviceError("resource-not-found")]);
  const { page, policy } = service.preview(entity.type, entity.hit);
  answerConditionally(ctx, undefined);
  ctx.set("Content-Security-Policy", policy);
  // The address may contain a key, which links must not pass on.
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.type = "text/html";
  ctx.body = page;
}

/** The results of queries, in their order. A query that is a person's identifier finds that person. */
async function matchQueries(
  elasticsearch: SearchStore,
  queries: readonly ReconcileQuery[],
  budget: Budget | undefined,
): Promise<Record<string, unknown>[]> {
  const questions = queries.flatMap((query) => (personIdIn(query) === null ? query.questions : []));
  const limit = Math.max(1, ...queries.map((query) => query.limit));
  const results = await matchAll(elasticsearch, questions, { limit, budget });
  const byQuestion = new Map(questions.map((question, at) => [question, results[at]] as const));
  const ids = queries.flatMap((query) => personIdIn(query) ?? []);
  const known = await fetchEntities(elasticsearch, ids, budget);
  return queries.map((query) => {
    const id = personIdIn(query);
    if (id !== null) return presentKnown(known.get(id));
    const found = query.questions.flatMap((question) => byQuestion.get(question) ?? []);
    return presentResult(found, query.limit);
  });
}

function presentKnown(entity: Entity | undefined): Record<string, unknown> {
  if (!entity) return { result: [] };
  const { type, hit } = entity;
  const known = matchings[type].read({ type, name: "" }).compare(hit);
  const sure = { score: 100, match: true, reasons: ["identifier"], features: {} };
  return { result: [presentCandidate({ ...known, ...sure }, true)] };
}

function answerJson(ctx: AppContext, body: Record<string, unknown>): void {
  sendJson(ctx, body);
  answerConditionally(ctx, undefined);
}
