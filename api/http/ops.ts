/** Owns what operators ask of the public port: is the process alive, can it answer. */
import Router from "@koa/router";
import type { Stores } from "../core/stores/index.ts";
import { openReadiness, requireIndices } from "../../index-mappings/readiness.ts";
import type { RequestState } from "./request-context.ts";

/**
 * `/healthz` touches no store; `/readyz` is 200 only when both stores answer and every search index is there, is
 * open, and was built under this release's name rules, of which `lookAtRules` tells.
 */
export function buildOpsRoutes(
  { mongo, elasticsearch }: Pick<Stores, "mongo" | "elasticsearch">,
  lookAtRules: () => Promise<string | null>,
): Router<RequestState> {
  const askReadiness = openReadiness({
    mongodb: mongo.ping,
    elasticsearch: elasticsearch.ping,
    indices: () => requireIndices(elasticsearch, lookAtRules),
  });
  const router = new Router<RequestState>();
  router.get("/healthz", (ctx) => {
    ctx.state.route = "healthz";
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", async (ctx) => {
    ctx.state.route = "readyz";
    const { status, body } = await askReadiness();
    ctx.status = status;
    ctx.body = body;
  });
  return router;
}
