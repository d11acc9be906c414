/** Owns what operators ask: is the process alive, can it answer. */
import Router from "@koa/router";
import { messageOf } from "../core/errors.ts";
import type { Stores } from "../core/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import type { RequestState } from "./request-context.ts";

// A store that needs longer than this to say hello is not ready to serve.
const READY_WITHIN_MS = 2_000;

/**
 * `/healthz` touches no store; `/readyz` is 200 only when both stores answer, every search alias exists and no
 * index was built under other name rules, which `lookAtRules` tells in a sentence.
 */
export function buildOpsRoutes(
  stores: Pick<Stores, "mongo" | "elasticsearch">,
  lookAtRules: () => Promise<string | null>,
): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/healthz", (ctx) => {
    ctx.state.route = "healthz";
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", async (ctx) => {
    ctx.state.route = "readyz";
    const checks = {
      mongodb: await verdict(stores.mongo.ping()),
      elasticsearch: await verdict(stores.elasticsearch.ping()),
      indices: await verdict(requireIndices(stores, lookAtRules)),
    };
    const isReady = Object.values(checks).every((check) => check === "ok");
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? "ready" : "not ready", checks };
  });
  return router;
}

async function requireIndices(
  stores: Pick<Stores, "elasticsearch">,
  lookAtRules: () => Promise<string | null>,
): Promise<void> {
  const fault = await lookAtRules();
  if (fault) throw new Error(fault);
  const names = indices.map((index) => index.name);
  const found = await stores.elasticsearch.fetchAliases(names);
  const missing = names.filter((name) => !found.includes(name));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(", ")}; run the prepare command`);
}

async function verdict(check: Promise<void>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS);
  });
  const outcome = check.then(() => "ok", messageOf);
  return Promise.race([outcome, deadline]).finally(() => clearTimeout(timer));
}
