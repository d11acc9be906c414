/** Owns what operators ask of the public port: is the process alive, can it answer. */
import Router from "@koa/router";
import type { Stores } from "../core/stores/index.ts";
import { checkReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import type { RequestState } from "./request-context.ts";

/**
 * `/healthz` touches no store; `/readyz` is 200 only when both stores answer, every search alias exists and no
 * index was built under other name rules, which `lookAtRules` tells in a sentence.
 */
export function buildOpsRoutes(
  { mongo, elasticsearch }: Pick<Stores, "mongo" | "elasticsearch">,
  lookAtRules: () => Promise<string | null>,
): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/healthz", (ctx) => {
    ctx.state.route = "healthz";
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", async (ctx) => {
    ctx.state.route = "readyz";
    const { isReady, checks } = await checkReadiness({
      mongodb: mongo.ping,
      elasticsearch: elasticsearch.ping,
      indices: () => requireIndices(elasticsearch, lookAtRules),
    });
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? "ready" : "not ready", checks };
  });
  return router;
}
