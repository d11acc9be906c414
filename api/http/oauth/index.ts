/**
 * Owns the endpoints of OAuth 2.0: their paths, their limit for each address, the profile of the person, and the removal of
 * what has expired.
 */
import Router from "@koa/router";
import type { Middleware } from "koa";
import bodyParser from "koa-bodyparser";
import { UnavailableError, ApiError } from "../../shared/runtime/errors.ts";
import { addSharedFiles } from "../page-files.ts";
import type { AppContext, RequestState } from "../request-context.ts";
import { answerPage } from "./browser.ts";
import { showSignIn, signIn } from "./authorise.ts";
import { decide, showConsent } from "./consent.ts";
import type { OAuthContext } from "./context.ts";
import { faultPage } from "./pages.tsx";
import { answerMetadata, answerToken, verifyToken } from "./token.ts";
import { fetchPerson } from "../../shared/access/people.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import { admit } from "../auth/admit.ts";
import { serviceError } from "../error-response.ts";
import { removeEnded } from "../../shared/access/grants.ts";
import { removeEndedSignIns } from "../../shared/access/sign-ins.ts";
import type { Logger } from "../../shared/runtime/logger.ts";

const WINDOW_MS = 300_000;
const TOO_MANY = "Too many requests came from your address. Wait five minutes, then reload this page.";
// The pages; the endpoints for web servers are at two paths.
const FOLDER = "/oauth2";

type Answer = (ctx: AppContext, context: OAuthContext) => Promise<void> | void;

/** The pages for people and the endpoints for web servers. None of them needs a key. */
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
  for (const path of [`${FOLDER}/authorise`, `${FOLDER}/authorize`]) {
    router.get(path, ...pages, answerBy("oauth-authorise", showSignIn));
    router.post(path, ...pages, takeForm, answerBy("oauth-authorise", signIn));
  }
  router.get(`${FOLDER}/consent`, ...pages, answerBy("oauth-consent", showConsent));
  router.post(`${FOLDER}/consent`, ...pages, takeForm, answerBy("oauth-consent", decide));
  addSharedFiles(router, FOLDER);
  // The specification has one path, the original's own documents the other.
  for (const prefix of ["/oauth", FOLDER]) {
    router.post(`${prefix}/token`, bound, takeForm, answerBy("oauth-token", answerToken));
    router.get(`${prefix}/verify`, bound, answerBy("oauth-verify", verifyToken));
  }
  router.get("/.well-known/oauth-authorization-server", answerBy("oauth-metadata", answerMetadata));
  return router;
}

/**
 * Counts the calls of an address and refuses those above the limit, so that guessing clients, codes and tokens costs the
 * stores no more than that. All calls of a person's browser count. A web server calls for many people: only its failed
 * requests count.
 */
function boundCalls(
  { attempts, addressLimit: limit }: OAuthContext,
  which: "all" | "faults",
): Middleware<RequestState> {
  return async (ctx, next) => {
    const bound = { name: `oauth-${which}:${ctx.ip}`, limit, windowMs: WINDOW_MS };
    const isHeard = which === "all" ? await attempts.begin([bound]) : !attempts.isAbove(bound);
    if (!isHeard) {
      ctx.set("Retry-After", String(WINDOW_MS / 1000));
      if (which === "all") return answerPage(ctx, 429, faultPage("Too many requests", TOO_MANY));
      ctx.status = 429;
      ctx.body = "";
      return;
    }
    await next();
    if (which === "faults" && ctx.status >= 400 && ctx.status < 500) await attempts.begin([bound]);
  };
}

/** When a store is unavailable, the person reads one sentence that says so. */
async function showOutages(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    ctx.state.log.error({ err: error, store: error.store }, "store unavailable");
    answerPage(ctx, 503, faultPage("The register is not available", "Wait a minute, then reload this page."));
  }
}

/** The route. A key belongs to no person: 403. */
export function buildProfileRoute(
  documents: DocumentStore,
  baseOf: (ctx: AppContext) => string,
): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/user/profile", admit({ scope: "user/profile.read" }), async (ctx) => {
    ctx.state.route = "user-profile";
    const { person: id, scopes = [] } = ctx.state.principal ?? {};
    const person = id === undefined ? null : await fetchPerson(documents, id);
    if (!person) throw new ApiError(403, [serviceError("access-denied")]);
    const { _id, email, forename, surname, locale } = person;
    const scope = scopes.map((one) => `${baseOf(ctx)}/${one}`).join(" ");
    ctx.set("Cache-Control", "private, no-cache");
    ctx.set("Content-Type", "application/json");
    ctx.body = { id: _id, email, ...(forename && { forename }), ...(surname && { surname }), locale, scope };
  });
  return router;
}

const PAUSE_MS = 600_000;

/** Makes the function that removes them, every ten minutes at most. Callers do not wait for it; a failure does no harm. */
export function openSweep(documents: DocumentStore, clock: () => Date): (log: Logger) => void {
  let sweptAt = -Infinity;
  return (log) => {
    if (performance.now() - sweptAt < PAUSE_MS) return;
    sweptAt = performance.now();
    const moment = clock();
    Promise.all([removeEnded(documents, moment), removeEndedSignIns(documents, moment)]).catch(
      (error: unknown) => log.warn({ err: error }, "removal of expired tokens failed"),
    );
  };
}
