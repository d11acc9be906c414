/** Builds the API: all its middleware, in order. Read this file first. */
import { availableParallelism } from "node:os";
import type Koa from "koa";
import type { Logger } from "./shared/runtime/logger.ts";
import { compileCheck } from "./shared/schemas/validate.ts";
import type { Config } from "./shared/settings/config.ts";
import type { Stores } from "./shared/stores/index.ts";
import { CONNECTIONS } from "./shared/stores/mongodb/client.ts";
import { isTracing } from "./shared/tracing/tracing.ts";
import { buildOpenApi } from "./docs/openapi.ts";
import { limitUnreadAnswers, compressAnswers } from "./http/sending.ts";
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
  limitRequestTime,
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

/** Everything that the API is built from. */
export interface AppDependencies {
  config: Config;
  /** Redis is needed only for counters: of calls, and of wrong passwords and codes. */
  stores: Pick<Stores, "mongo" | "elasticsearch"> & { redis: Pick<Stores["redis"], "counters"> };
  log: Logger;
  clock: () => Date;
  /**
   * True in tests: an answer that breaks its schema is an error. Default false: the check takes as long as a search.
   */
  checksAnswers?: boolean;
  /** Returns true from the stop signal on; default: always false. */
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
  const bounds = limitWork(config);
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
  app.use(limitRequestTime(config.REQUEST_TIMEOUT_MS));
  app.use(repairAddress());
  app.use(ops.routes());
  app.use(docs.routes());
  app.use(pages.files.routes());
  app.use(access.oauth.routes());
  app.use(refuseOtherMethods());
  for (const middleware of access.middleware) app.use(middleware);
  app.use(limitUnreadAnswers());
  // Routes use only forms. JSON is parsed as well, so that a body that is too large is refused.
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

/**
 * Builds the routes that read the stores: the register, downloads, reconciliation and pages. They share their limits.
 */
function buildAnswers(
  dependencies: AppDependencies,
  endpoints: Endpoints,
  { elasticsearch, ...bounds }: ReturnType<typeof limitWork> & { elasticsearch: SearchStore },
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
    // The cast: the settings accept only these values.
    pages: buildPages({ ...answering, endpoints, baseOf, access: config.PAGES as PageAccess }),
  };
}

// Tuned: more searches than an engine with as many processors runs at once, so that it never idles. Half of them, the
// share of one application, are still enough for that.
const SEARCHES_PER_PROCESSOR = 4;

// Tuned: one caller may have half of them waiting. A process answers that many in the time that a lookup may wait.
const LOOKUPS_WAITING = 2_000;

/** Makes the limits on concurrent work: searches, lookups and downloads. */
function limitWork({ SEARCHES_AT_ONCE, SEARCHES_WAITING: waiting, DOWNLOADS_AT_ONCE }: Config) {
  const atOnce = SEARCHES_AT_ONCE || SEARCHES_PER_PROCESSOR * availableParallelism();
  return {
    searchesUnderWay: new Admission({ what: "searches", atOnce, waiting, retryAfterSeconds: 1 }),
    lookupsUnderWay: new Admission({
      what: "lookups",
      // A lookup makes about two reads at once. So one caller, with half of the lookups, keeps all connections busy and
      // queues few reads.
      atOnce: CONNECTIONS,
      waiting: LOOKUPS_WAITING,
      retryAfterSeconds: 1,
    }),
    downloads: openDownloads(DOWNLOADS_AT_ONCE),
  };
}
