/**
 * The endpoints of OAuth 2.0: their paths, the limit on calls of one address, the profile of the person, and the
 * removal of expired tokens, grants and sign-ins.
 */
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { ApiError, serviceError } from "../../shared/runtime/errors.ts";
import { addSharedFiles } from "../page-files.ts";
import { readBodies, type AppContext, type RequestState } from "../request-context.ts";
import { sendJson } from "../sending.ts";
import { answerPage, answerRedirect } from "./browser.ts";
import { changeApplications, showApplications } from "./applications.ts";
import { showSignIn, signIn } from "./authorise.ts";
import { decide, showConsent } from "./consent.ts";
import type { OAuthContext } from "./context.ts";
import { faultPage } from "./pages.tsx";
import { answerMetadata, answerRevocation, answerToken, verifyToken } from "./web-servers.ts";
import { people } from "../../shared/access/people.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import { requireAccess } from "../auth/identify.ts";
import { removeEnded } from "../../shared/access/grants.ts";
import { removeEndedSignIns } from "../../shared/access/sign-ins.ts";
import type { Logger } from "../../shared/runtime/logger.ts";

const WINDOW_MS = 300_000;
const TOO_MANY = "Too many requests came from your address. Wait five minutes, then";
// The folder of the pages. The endpoints for web servers have two paths.
const FOLDER = "/oauth2";
const PAGE = /^\/oauth2\/(?:authori[sz]e|consent|applications)\/*$/i;

type Answer = (ctx: AppContext, context: OAuthContext) => Promise<void> | void;

/** The pages for people and the endpoints for web servers. None of them needs a key. */
export function buildOAuthRoutes(context: OAuthContext): Router<RequestState> {
  const router = new Router<RequestState>();
  const takeForm = readBodies({ enableTypes: ["form"], formLimit: "20kb" });
  const handle =
    (route: string, answer: Answer): Middleware<RequestState> =>
    async (ctx) => {
      ctx.state.route = route;
      context.sweep(ctx.state.log);
      await answer(ctx, context);
    };
  const pageSteps = [removeSlash, limitCalls(context, "all")];
  // The specification's spelling, and that of the RFC.
  for (const path of [`${FOLDER}/authorise`, `${FOLDER}/authorize`]) {
    router.get(path, ...pageSteps, handle("oauth-authorise", showSignIn));
    router.post(path, ...pageSteps, takeForm, handle("oauth-authorise", signIn));
  }
  router.get(`${FOLDER}/consent`, ...pageSteps, handle("oauth-consent", showConsent));
  router.post(`${FOLDER}/consent`, ...pageSteps, takeForm, handle("oauth-consent", decide));
  router.get(`${FOLDER}/applications`, ...pageSteps, handle("oauth-applications", showApplications));
  router.post(
    `${FOLDER}/applications`,
    ...pageSteps,
    takeForm,
    handle("oauth-applications", changeApplications),
  );
  addSharedFiles(router, FOLDER);
  // The specification has one path, the original's own documents the other.
  for (const prefix of ["/oauth", FOLDER]) {
    // Token and revocation share one count of wrong client secrets.
    const clientSteps = [limitCalls(context, "token"), takeForm];
    router.post(`${prefix}/token`, ...clientSteps, handle("oauth-token", answerToken));
    router.post(`${prefix}/revoke`, ...clientSteps, handle("oauth-revoke", answerRevocation));
    router.get(`${prefix}/verify`, limitCalls(context, "verify"), handle("oauth-verify", verifyToken));
  }
  router.get("/.well-known/oauth-authorization-server", handle("oauth-metadata", answerMetadata));
  return router;
}

/** Redirects to the address without a slash at its end, which the relative links of the pages need. */
async function removeSlash(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
  const { path, search } = ctx;
  if (!path.endsWith("/")) return void (await next());
  answerRedirect(ctx, `../${path.split("/").at(-2) ?? ""}${search}`);
}

/**
 * Counts the calls of an address and refuses calls above the limit, which bounds what guessing costs the stores. All
 * calls of browsers count. A web server calls for many people, and passes on codes and tokens that strangers send it.
 * So only wrong secrets and tokens count there, at separate endpoints, and strangers cannot stop its exchange of codes.
 */
function limitCalls(
  { counter, addressLimit: limit }: OAuthContext,
  which: "all" | "token" | "verify",
): Middleware<RequestState> {
  return async (ctx, next) => {
    const bound = { name: `oauth-${which}:${networkOf(ctx.ip)}`, limit, windowMs: WINDOW_MS };
    const isAllowed = which === "all" ? (await counter.count(bound)) <= limit : !counter.isAbove(bound);
    if (!isAllowed) {
      ctx.set("Retry-After", String(WINDOW_MS / 1000));
      if (which === "all")
        return answerPage(ctx, 429, faultPage("Too many requests", `${TOO_MANY} ${againOf(ctx)}.`));
      ctx.status = 429;
      ctx.body = "";
      return;
    }
    await next();
    if (which !== "all" && ctx.status === 401) await counter.count(bound);
  };
}

/** Shows a 503 for one of the pages as a page, whether a store is unavailable or late. Comes before `errorResponse`. */
export async function showOutages(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
  await next();
  // A 503 that is a page already says more.
  if (ctx.status !== 503 || !PAGE.test(ctx.path) || ctx.response.is("html")) return;
  answerPage(ctx, 503, faultPage("The register is not available", `Wait a moment, then ${againOf(ctx)}.`));
}

/** How a person tries again. Reloading the answer to a form would send the form, and the password in it, again. */
function againOf({ method }: AppContext): string {
  return method === "POST" ? "go back and try again" : "reload this page";
}

/** The route of a person's profile. A key belongs to no person: 403. */
export function buildProfileRoute({
  documents,
  lookupsUnderWay,
  baseOf,
}: Pick<OAuthContext, "documents" | "lookupsUnderWay" | "baseOf">): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/user/profile", requireAccess({ scope: "user/profile.read" }), async (ctx) => {
    ctx.state.route = "user-profile";
    const { person: id, scopes = [], countedAs = "" } = ctx.state.principal ?? {};
    const { budget } = ctx.state;
    const fetch = (one: string) => lookupsUnderWay.run(countedAs, budget, () => people.fetch(documents, one));
    const person = id === undefined ? null : await fetch(id);
    if (!person) throw new ApiError(403, [serviceError("access-denied")]);
    const { _id, email, forename, surname, locale } = person;
    const scope = scopes.map((one) => `${baseOf(ctx)}/${one}`).join(" ");
    ctx.set("Cache-Control", "private, no-cache");
    const names = { ...(forename && { forename }), ...(surname && { surname }) };
    sendJson(ctx, { id: _id, email, ...names, locale, scope });
  });
  return router;
}

const PAUSE_MS = 600_000;

/** Makes the function that removes expired data in the background, every ten minutes at most. A failure is harmless. */
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
