/** Serves definitions made for a test, over records in memory: needs no engine and no key. */
import Koa from "koa";
import { compileCheck } from "../../api/shared/schemas/validate.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { Admission } from "../../api/http/limits/admission.ts";
import { errorResponse } from "../../api/http/error-response.ts";
import { requestContext, type RequestState } from "../../api/http/request-context.ts";
import { openSearchCoverage } from "../../api/http/answers.ts";
import { buildRoutes, type RouteDependencies } from "../../api/http/routes.ts";
import type { ResourceDefinition } from "../../api/resources/define-resource.ts";
import type { SearchDefinition } from "../../api/search/define-search.ts";
import type { SearchResult } from "../../api/shared/definitions/search-result.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { createMemoryReader } from "./record-reader.ts";
import { serve } from "./serve.ts";

export interface TestRoutes {
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sets the day of later requests. */
  setToday: (day: string) => void;
  close: () => Promise<void>;
}

export interface TestData {
  resources?: ResourceDefinition[];
  searches?: SearchDefinition[];
  /** Records by collection. */
  records?: Record<string, StoredRecord[]>;
  /** What every search finds; if absent, Elasticsearch is down. */
  found?: SearchResult;
  vendor?: string;
  /** Limits the lookups in progress; the header X-Caller names the caller. */
  lookupsUnderWay?: Admission;
}

/** Serves definitions on a free port. */
export async function openRoutes(data: TestData): Promise<TestRoutes> {
  const { resources = [], searches = [], records = {}, found, vendor = "company-register" } = data;
  let today = "2026-11-21";
  const stores = {
    mongo: { records: createMemoryReader(records).records },
    elasticsearch: {
      search: () =>
        found ? Promise.resolve([found]) : Promise.reject(new UnavailableError("elasticsearch", "down")),
    },
  } as unknown as RouteDependencies["stores"];
  const searchesUnderWay = new Admission({ what: "searches", atOnce: 8, waiting: 8, retryAfterSeconds: 1 });
  const lookups = new Admission({ what: "lookups", atOnce: 8, waiting: 8, retryAfterSeconds: 1 });
  const { lookupsUnderWay = lookups } = data;
  const clock = () => new Date(`${today}T12:00:00Z`);
  const routes = buildRoutes(
    { resources, searches },
    {
      ...{ stores, clock, vendor, compileCheck, searchesUnderWay, lookupsUnderWay },
      setSearchCoverage: openSearchCoverage(stores.mongo.records),
    },
  );
  const app = new Koa<RequestState>();
  app.use(requestContext(createLogger("silent", "api")));
  app.use(errorResponse());
  app.use((ctx, next) => {
    ctx.state.principal = { countedAs: ctx.get("X-Caller") };
    return next();
  });
  app.use(routes.routes());
  app.use(routes.allowedMethods());
  const handle = app.callback();
  const { base, close } = await serve((request, response) => void handle(request, response));
  return {
    request: (path, init) => fetch(base + path, init),
    setToday: (day) => (today = day),
    close,
  };
}
