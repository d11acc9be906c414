/** Owns the operators' pages of the public port: is the process alive, can it answer. */
import Router from "@koa/router";
import { DeniedError, messageOf, NotReadyError, UnavailableError } from "../shared/runtime/errors.ts";
import type { Stores } from "../shared/stores/index.ts";
import { openReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import type { RequestState } from "./request-context.ts";

/** What these pages need. */
export interface OpsOptions {
  stores: Pick<Stores, "mongo" | "elasticsearch">;
  /** Reports indices that were built under other name rules. */
  lookAtRules: () => Promise<string | null>;
  /** True from the stop signal on. */
  isEnding: () => boolean;
}

// Shorter than the deadline of readiness, so that the answer names the store that does not respond.
const PING_MS = 900;

/**
 * `/healthz` touches no store; `/readyz` is 200 only when both stores answer and every search index is there, is
 * open, and was built under this release's name rules. It is 503 from the stop signal on.
 */
export function buildOpsRoutes({ stores, lookAtRules, isEnding }: OpsOptions): Router<RequestState> {
  const { mongo, elasticsearch } = stores;
  const checks = {
    mongodb: () => mongo.ping(PING_MS),
    elasticsearch: () => elasticsearch.ping(PING_MS),
    indices: () => requireIndices(elasticsearch, lookAtRules),
  };
  const askReadiness = openReadiness(checks, describeFault);
  const router = new Router<RequestState>();
  router.get("/healthz", (ctx) => {
    ctx.state.route = "healthz";
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", async (ctx) => {
    ctx.state.route = "readyz";
    const { status, body } = isEnding() ? ENDING : await askReadiness();
    ctx.status = status;
    ctx.body = body;
  });
  return router;
}

const ENDING = { status: 503, body: { status: "not ready", checks: { process: "is ending" } } };

/**
 * Anyone may read the page: of a store's fault it says which store, and the log (`store unavailable`) and `doctor` say why, with
 * addresses and the store's own words. Sentences of ours, about the indices, have neither.
 */
function describeFault(error: unknown): string {
  if (error instanceof DeniedError) return `${error.store} refuses access`;
  const isTheirs = error instanceof UnavailableError && !(error instanceof NotReadyError);
  return isTheirs ? `${error.store} is not available` : messageOf(error);
}
