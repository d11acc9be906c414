/**
 * Owns the endpoints of OAuth 2.0: their paths, their limit for each address, the answers to web servers (tokens, their
 * verification, metadata), the profile of the person, and the removal of what has expired.
 */
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import Router from "@koa/router";
import type { Middleware } from "koa";
import { ApiError, serviceError } from "../../shared/runtime/errors.ts";
import { addSharedFiles } from "../page-files.ts";
import { outlastDeadline, readBodies, type AppContext, type RequestState } from "../request-context.ts";
import { sendJson } from "../sending.ts";
import { answerNext, answerPage } from "./browser.ts";
import { showSignIn, signIn } from "./authorise.ts";
import { decide, showConsent } from "./consent.ts";
import type { OAuthContext } from "./context.ts";
import { faultPage } from "./pages.tsx";
import { readForm, readParameters, TOKEN } from "./parameters.ts";
import { SCOPES } from "../../shared/access/scopes.ts";
import { hashSecret } from "../../shared/access/secrets.ts";
import { people } from "../../shared/access/people.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import { admit, parseCredentials } from "../auth/identify.ts";
import { removeEnded } from "../../shared/access/grants.ts";
import { removeEndedSignIns } from "../../shared/access/sign-ins.ts";
import type { Logger } from "../../shared/runtime/logger.ts";

const WINDOW_MS = 300_000;
const TOO_MANY = "Too many requests came from your address. Wait five minutes, then";
// The pages; the endpoints for web servers are at two paths.
const FOLDER = "/oauth2";
const PAGE = /^\/oauth2\/(?:authori[sz]e|consent)\/*$/i;

type Answer = (ctx: AppContext, context: OAuthContext) => Promise<void> | void;

/** The pages for people and the endpoints for web servers. None of them needs a key. */
export function buildOAuthRoutes(context: OAuthContext): Router<RequestState> {
  const router = new Router<RequestState>();
  const takeForm = readBodies({ enableTypes: ["form"], formLimit: "20kb" });
  const answerBy =
    (route: string, answer: Answer): Middleware<RequestState> =>
    async (ctx) => {
      ctx.state.route = route;
      await answer(ctx, context);
    };
  const pages = [leaveSlash, boundCalls(context, "all")];
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
    router.post(
      `${prefix}/token`,
      boundCalls(context, "token"),
      takeForm,
      answerBy("oauth-token", answerToken),
    );
    router.get(`${prefix}/verify`, boundCalls(context, "verify"), answerBy("oauth-verify", verifyToken));
  }
  router.get("/.well-known/oauth-authorization-server", answerBy("oauth-metadata", answerMetadata));
  return router;
}

/** The pages lead to each other by relative addresses: they need their own without a slash at its end. */
async function leaveSlash(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
  const { path, search } = ctx;
  if (!path.endsWith("/")) return void (await next());
  answerNext(ctx, `../${path.split("/").at(-2) ?? ""}${search}`);
}

/**
 * Counts the calls of an address and refuses those above the limit, so that guessing clients and tokens costs the stores no
 * more than that. All calls of a person's browser count. A web server calls for many people, and passes on codes and tokens
 * that strangers send it: only a wrong secret or token counts, each at its own endpoint, so that neither ends its exchange of codes.
 */
function boundCalls(
  { counter, addressLimit: limit }: OAuthContext,
  which: "all" | "token" | "verify",
): Middleware<RequestState> {
  return async (ctx, next) => {
    const bound = { name: `oauth-${which}:${networkOf(ctx.ip)}`, limit, windowMs: WINDOW_MS };
    const isHeard = which === "all" ? (await counter.count(bound)) <= limit : !counter.isAbove(bound);
    if (!isHeard) {
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

/** Shows a 503 of a page, whether a store is unavailable or the answer is late, as one sentence. Runs before the API's error answers. */
export async function showOutages(ctx: AppContext, next: () => Promise<unknown>): Promise<void> {
  await next();
  // One that is a page says more itself.
  if (ctx.status !== 503 || !PAGE.test(ctx.path) || ctx.response.is("html")) return;
  answerPage(ctx, 503, faultPage("The register is not available", `Wait a moment, then ${againOf(ctx)}.`));
}

/** How a person asks once more. To reload the answer to a form would send the form, and the password in it, again. */
function againOf({ method }: AppContext): string {
  return method === "POST" ? "go back and try again" : "reload this page";
}

/** Exchanges a code or refresh token for tokens. Parameters: a form or the query, the client's also by HTTP Basic. */
async function answerToken(
  ctx: AppContext,
  { server, lookupsUnderWay, baseOf, sweep }: OAuthContext,
): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  ctx.set("Pragma", "no-cache");
  // Compat: the original takes them in the query as well (api.md part 2).
  const given = readParameters({ ...ctx.query, ...readForm(ctx) }, TOKEN);
  if (!given) return answerInvalid(ctx, "Invalid request: a parameter is repeated");
  const client = readClient(ctx.get("Authorization"));
  sweep(ctx.state.log);
  const outlast = () => outlastDeadline(ctx);
  // By address: whether the client is who it says shows only then.
  const caller = `address:${networkOf(ctx.ip)}`;
  const { status, body } = await lookupsUnderWay.run(caller, ctx.state.budget, () =>
    server.token({ ...given, ...client }, baseOf(ctx), outlast),
  );
  if (status === 401) challengeClient(ctx);
  answerJson(ctx, status, body);
}

/** What an access token is valid for: its person, its scopes, its lifetime. */
async function verifyToken(ctx: AppContext, { tokens, clock, baseOf }: OAuthContext): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  const secret = readAccessToken(ctx);
  if (secret === null) return answerInvalid(ctx, "Send exactly one access_token");
  const caller = await tokens.find(hashSecret(secret), networkOf(ctx.ip));
  const { principal, expiresAt = 0 } = caller ?? {};
  const leftMs = expiresAt - clock().getTime();
  if (!principal || leftMs <= 0) {
    ctx.set("WWW-Authenticate", 'Bearer error="invalid_token"');
    return answerJson(ctx, 401, {
      error: "invalid_token",
      error_description: "The token is unknown, expired or revoked",
    });
  }
  answerJson(ctx, 200, {
    application: principal.application?.name,
    client_id: principal.client,
    expires_in: Math.ceil(leftMs / 1000),
    scope: (principal.scopes ?? []).map((scope) => `${baseOf(ctx)}/${scope}`).join(" "),
    user_id: principal.person,
  });
}

/** The metadata document for clients (RFC 8414). */
function answerMetadata(ctx: AppContext, { baseOf }: OAuthContext): void {
  const base = baseOf(ctx);
  answerJson(ctx, 200, {
    issuer: base,
    authorization_endpoint: `${base}/oauth2/authorise`,
    token_endpoint: `${base}/oauth2/token`,
    scopes_supported: Object.keys(SCOPES).map((name) => `${base}/${name}`),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base}/docs`,
  });
}

/** The token in the query, which many clients send beside their API key, or after the word Bearer; null for none, or both. */
function readAccessToken(ctx: AppContext): string | null {
  const given = readParameters(ctx.query, ["access_token"])?.access_token;
  const credentials = parseCredentials(ctx.get("Authorization"), "");
  if (credentials.kind !== "bearer") return given ?? null;
  return given === undefined ? credentials.secret : null;
}

/**
 * Id and secret by HTTP Basic, each escaped as in a form (RFC 6749, 2.3.1). Any other header is not about the client: the
 * original's SDK sends the token that has expired, or its key, with every call.
 */
function readClient(authorization: string): Record<string, string> {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(authorization.trim()) ?? [];
  const [, id, secret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded ?? "", "base64").toString("utf8")) ?? [];
  try {
    const unescape = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
    return id && secret ? { client_id: unescape(id), client_secret: unescape(secret) } : {};
  } catch {
    return {};
  }
}

function answerInvalid(ctx: AppContext, description: string): void {
  answerJson(ctx, 400, { error: "invalid_request", error_description: description });
}

function challengeClient(ctx: AppContext): void {
  ctx.set("WWW-Authenticate", 'Basic realm="oauth"');
}

function answerJson(ctx: AppContext, status: number, body: Record<string, unknown>): void {
  ctx.status = status;
  sendJson(ctx, body);
}

/** The route of a person's profile. A key belongs to no person: 403. */
export function buildProfileRoute({
  documents,
  lookupsUnderWay,
  baseOf,
}: Pick<OAuthContext, "documents" | "lookupsUnderWay" | "baseOf">): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get("/user/profile", admit({ scope: "user/profile.read" }), async (ctx) => {
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

/** Makes the function that removes what has expired, every ten minutes at most. Callers do not wait for it; a failure does no harm. */
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
