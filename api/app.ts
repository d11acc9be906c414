/** Owns the API's middleware, in order: read this first. */
import { availableParallelism } from "node:os";
import type Koa from "koa";
import type { Logger } from "./shared/runtime/logger.ts";
import { compileCheck } from "./shared/schemas/validate.ts";
import type { Config } from "./shared/settings/config.ts";
import type { Stores } from "./shared/stores/index.ts";
import { CONNECTIONS } from "./shared/stores/mongodb/client.ts";
import { isTracing } from "./shared/tracing/tracing.ts";
import { buildOpenApi } from "./docs/openapi.ts";
import { boundUntaken, compressAnswers } from "./http/sending.ts";
import { Admission } from "./http/limits/admission.ts";
import { refuseStrangers } from "./http/auth/identify.ts";
import { buildAccess } from "./http/auth/index.ts";
import { openSearchCoverage } from "./http/answers.ts";
import { buildDocsRoutes } from "./http/docs/index.ts";
import { buildDownloadRoutes, openDownloads } from "./http/downloads.ts";
import { repairAddress, takeKeyFromPath } from "./http/address.ts";
import { errorResponse, refuseOtherMethods } from "./http/error-response.ts";
import { showOutages } from "./http/oauth/index.ts";
import { buildOpsRoutes, traceRequests } from "./http/ops.ts";
import {
  boundRequests,
  openBase,
  openKoa,
  readBodies,
  requestContext,
  type EndedRequest,
  type RequestState,
} from "./http/request-context.ts";
import { buildReconcileRoutes } from "./http/reconcile/index.ts";
import { buildRoutes, type Endpoints } from "./http/routes.ts";
import { buildPages, type PageAccess } from "./pages/routes.ts";
import { resources } from "./resources/index.ts";
import { withWindow } from "./search/define-search.ts";
import { downloads, searches as definedSearches } from "./search/index.ts";
import { watchNameRules, type SearchStore } from "../index-mappings/name-rules.ts";

/** What the API needs; nothing else is reached for. */
export interface AppDependencies {
  config: Config;
  /** Redis counts the calls of callers that have a limit; nothing else asks it. */
  stores: Pick<Stores, "mongo" | "elasticsearch"> & { redis: Pick<Stores["redis"], "counters"> };
  log: Logger;
  clock: () => Date;
  /** True in tests: an answer that breaks its own schema is an error. Off by default: the check takes as long as a search's page. */
  checksAnswers?: boolean;
  /** True from the stop signal on; false by default. */
  isEnding?: () => boolean;
  /** Called with each request after its answer. */
  onEnd?: (request: EndedRequest) => void;
}

/** Builds the API; it opens nothing and starts nothing. */
export function buildApp(dependencies: AppDependencies): Koa<RequestState> {
  const { config, stores, log, isEnding = () => false } = dependencies;
  const searches = definedSearches.map((search) => withWindow(search, config.SEARCH_WINDOW));
  const endpoints = { resources, searches, downloads, hasReconciliation: true };
  const app = openKoa(config, log, "answer interrupted by an error");
  const rules = watchNameRules(stores.elasticsearch);
  const ops = buildOpsRoutes({ stores, lookAtRules: rules.look, isEnding });
  const buildDocument = () => buildOpenApi(endpoints, config.VENDOR, config.PUBLIC_URL);
  const docs = buildDocsRoutes(buildDocument, config.DOCS_KEY);
  const bounds = boundWork(config);
  const answered = { ...bounds, elasticsearch: rules.elasticsearch };
  const { register, csv, reconcile, pages } = buildAnswers(dependencies, endpoints, answered);
  const access = buildAccess({ ...dependencies, ...bounds });

  if (isTracing()) app.use(traceRequests());
  app.use(requestContext(log, dependencies.onEnd));
  app.use(takeKeyFromPath());
  app.use(compressAnswers());
  if (pages.frame) app.use(pages.frame);
  app.use(showOutages);
  app.use(errorResponse());
  app.use(boundRequests(config.REQUEST_TIMEOUT_MS));
  app.use(repairAddress());
  app.use(ops.routes());
  app.use(docs.routes());
  app.use(pages.files.routes());
  app.use(access.oauth.routes());
  app.use(refuseOtherMethods());
  for (const middleware of access.middleware) app.use(middleware);
  app.use(boundUntaken());
  // Only forms of queries are read; whatever is sent is bounded here.
  app.use(readBodies({ enableTypes: ["json", "form"], jsonLimit: "100kb", formLimit: "200kb" }));
  app.use(pages.router.routes());
  app.use(access.profile.routes());
  app.use(reconcile.routes());
  app.use(register.routes());
  app.use(csv.routes());
  app.use(refuseStrangers());
  app.use(register.allowedMethods());
  return app;
}

/** What answers from the stores: resources and searches, the reconciliation service and the pages, which share their bounds. */
function buildAnswers(
  dependencies: AppDependencies,
  endpoints: Endpoints,
  { elasticsearch, ...bounds }: ReturnType<typeof boundWork> & { elasticsearch: SearchStore },
) {
  const { config, stores, clock, checksAnswers = false } = dependencies;
  const answering = {
    ...{ clock, vendor: config.VENDOR, ...bounds },
    compileCheck: checksAnswers ? compileCheck : undefined,
    stores: { mongo: stores.mongo, elasticsearch },
    setSearchCoverage: openSearchCoverage(stores.mongo.records),
  };
  const baseOf = openBase(config.PUBLIC_URL);
  return {
    register: buildRoutes(endpoints, answering),
    csv: buildDownloadRoutes(endpoints.downloads, answering),
    reconcile: buildReconcileRoutes({ ...answering, baseOf }),
    // The cast: a choice has one of its values.
    pages: buildPages({ ...answering, endpoints, baseOf, access: config.PAGES as PageAccess }),
  };
}

// Tuned: more than an engine on as many processors works on at once, so that it never waits for us: also with half of it,
// which is what one application may have.
const SEARCHES_PER_PROCESSOR = 4;

// Tuned: half of it, which is what one caller may have, a process answers in the time that one may wait for its turn.
const LOOKUPS_WAITING = 2_000;

/** What is bounded by the number of those that are under way. */
function boundWork({ SEARCHES_AT_ONCE, SEARCHES_WAITING: waiting, DOWNLOADS_AT_ONCE }: Config) {
  const atOnce = SEARCHES_AT_ONCE || SEARCHES_PER_PROCESSOR * availableParallelism();
  return {
    searchesUnderWay: new Admission({ what: "searches", atOnce, waiting, retryAfterSeconds: 1 }),
    lookupsUnderWay: new Admission({
      what: "lookups",
      // A lookup makes about two reads at once: one caller, with half of them, has all connections busy and few reads in their queue.
      atOnce: CONNECTIONS,
      waiting: LOOKUPS_WAITING,
      retryAfterSeconds: 1,
    }),
    downloads: openDownloads(DOWNLOADS_AT_ONCE),
  };
}
