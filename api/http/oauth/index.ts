/** Owns the endpoints of OAuth 2.0: their paths, and what keeps floods away from them. */
import Router from "@koa/router";
import type { Middleware } from "koa";
import bodyParser from "koa-bodyparser";
import { UnavailableError } from "../../core/errors.ts";
import type { AppContext, RequestState } from "../request-context.ts";
import { answerPage, answerStyle } from "./answer.ts";
import { showSignIn, signIn } from "./authorise.ts";
import { decide, showConsent } from "./consent.ts";
import type { OAuthContext } from "./context.ts";
import { faultPage } from "./pages.ts";
import { answerMetadata, answerToken, verifyToken } from "./token.ts";

const WINDOW_MS = 300_000;

/** An endpoint. */
type Answer = (ctx: AppContext, context: OAuthContext) => Promise<void> | void;

/** The pages that people see, and what web servers ask. None of them asks for a key. */
export function buildOAuthRoutes(context: OAuthContext): Router<RequestState> {
  const router = new Router<RequestState>();
  const takeForm = bodyParser({ enableTypes: ["form"], formLimit: "20kb" });
  const answerBy =
    (route: string, answer: Answer): Middleware<RequestState> =>
    async (ctx) => {
      ctx.state.route = route;
      await answer(ctx, context);
    };
  const bound = boundCalls(context, "faults");
  const pages = [boundCalls(context, "all"), showOutages];
  // The spelling of the specification, and that of the RFC.
  for (const path of ["/oauth2/authorise", "/oauth2/authorize"]) {
    router.get(path, ...pages, answerBy("oauth-authorise", showSignIn));
    router.post(path, ...pages, takeForm, answerBy("oauth-authorise", signIn));
  }
  router.get("/oauth2/consent", ...pages, answerBy("oauth-consent", showConsent));
  router.post("/oauth2/consent", ...pages, takeForm, answerBy("oauth-consent", decide));
  router.get("/oauth2/pages.css", answerBy("oauth-pages", answerStyle));
  // The specification has one path, the original's own documents the other.
  for (const prefix of ["/oauth", "/oauth2"]) {
    router.post(`${prefix}/token`, bound, takeForm, answerBy("oauth-token", answerToken));
    router.get(`${prefix}/verify`, bound, answerBy("oauth-verify", verifyToken));
  }
  router.get("/.well-known/oauth-authorization-server", answerBy("oauth-metadata", answerMetadata));
  return router;
}

/**
 * Counts the calls of an address, and hears it no further above the limit: guessing clients, codes and tokens costs the
 * stores no more than that. Of a person's browser all calls count; of a web server, which calls for many people, its
 * faults alone.
 */
function boundCalls(
  { attempts, addressLimit: limit }: OAuthContext,
  which: "all" | "faults",
): Middleware<RequestState> {
  return async (ctx, next) => {
    const bound = { name: `oauth-${which}:${ctx.ip}`, limit, windowMs: WINDOW_MS };
    const isHeard = which === "all" ? await attempts.begin([bound]) : !attempts.isAbove(bound);
    if (!isHeard) {
      ctx.status = 429;
      ctx.set("Retry-After", String(WINDOW_MS / 1000));
      ctx.body = "";
      return;
    }
    await next();
    if (which === "faults" && ctx.status >= 400 && ctx.status < 500) await attempts.begin([bound]);
  };
}

/** A person is told of a store that is unavailable in a sentence. */
async function showOutages(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    ctx.state.log.error({ err: error, store: error.store }, "store unavailable");
    answerPage(ctx, 503, faultPage("The register is not available", "Wait a minute, then reload this page."));
  }
}
