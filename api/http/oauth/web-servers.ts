/** The OAuth 2.0 endpoints for web servers: tokens, their revocation, what a token is valid for, and the metadata. */
import { networkOf } from "../../shared/access/allowed-addresses.ts";
import { SCOPES } from "../../shared/access/scopes.ts";
import { hashSecret } from "../../shared/access/secrets.ts";
import { parseCredentials } from "../auth/identify.ts";
import { outlastDeadline, type AppContext } from "../request-context.ts";
import { sendJson } from "../sending.ts";
import type { OAuthContext } from "./context.ts";
import { readForm, readParameters, REVOCATION, TOKEN } from "./parameters.ts";
import type { ClientAnswer, Parameters } from "./server.ts";

const NO_FORM = "The body must be of the type application/x-www-form-urlencoded";

/** Exchanges a code or refresh token for tokens. */
export function answerToken(ctx: AppContext, context: OAuthContext): Promise<void> {
  const { server, baseOf } = context;
  const outlast = () => outlastDeadline(ctx);
  return answerClient(ctx, context, TOKEN, (given) => server.token(given, baseOf(ctx), outlast));
}

/** Ends an access token, or with a refresh token its whole grant. */
export function answerRevocation(ctx: AppContext, context: OAuthContext): Promise<void> {
  return answerClient(ctx, context, REVOCATION, context.server.revoke);
}

/**
 * Answers a client that authenticates itself. Parameters come in a form or the query; the client's id and secret may
 * also come by HTTP Basic. `known`: the parameters, of which the first is required.
 */
async function answerClient(
  ctx: AppContext,
  { lookupsUnderWay }: OAuthContext,
  known: readonly [first: string, ...string[]],
  answer: (given: Parameters) => Promise<ClientAnswer>,
): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  ctx.set("Pragma", "no-cache");
  // Compat: the original takes parameters in the query as well (api.md part 2).
  const given = readParameters({ ...ctx.query, ...readForm(ctx) }, known);
  if (!given) return answerInvalid(ctx, "Invalid request: a parameter is repeated");
  if (given[known[0]] === undefined && ctx.request.is("urlencoded") === false)
    return answerInvalid(ctx, NO_FORM);
  // With the secret among the parameters, the header is about something else: it may hold an API key with any password.
  const client = given.client_secret === undefined ? readClient(ctx.get("Authorization")) : {};
  // Counted by address, because the client has not been authenticated yet.
  const caller = `address:${networkOf(ctx.ip)}`;
  const { status, body } = await lookupsUnderWay.run(caller, ctx.state.budget, () =>
    answer({ ...given, ...client }),
  );
  if (status === 401) ctx.set("WWW-Authenticate", 'Basic realm="oauth"');
  if (body) return answerJson(ctx, status, body);
  ctx.status = status;
  ctx.body = "";
}

/** What an access token is valid for: its person, its scopes, its lifetime. */
export async function verifyToken(ctx: AppContext, { tokens, clock, baseOf }: OAuthContext): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  const secret = readAccessToken(ctx);
  if (secret === null) return answerInvalid(ctx, "Send exactly one access_token");
  const caller = await tokens.find(hashSecret(secret));
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
export function answerMetadata(ctx: AppContext, { baseOf }: OAuthContext): void {
  const base = baseOf(ctx);
  const methods = ["client_secret_post", "client_secret_basic"];
  answerJson(ctx, 200, {
    issuer: base,
    authorization_endpoint: `${base}/oauth2/authorise`,
    token_endpoint: `${base}/oauth2/token`,
    scopes_supported: Object.keys(SCOPES).map((name) => `${base}/${name}`),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint: `${base}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base}/docs`,
  });
}

/** The token in the query, which many clients send beside their API key, or after `Bearer`; null for none, or both. */
function readAccessToken(ctx: AppContext): string | null {
  const given = readParameters(ctx.query, ["access_token"])?.access_token;
  const credentials = parseCredentials(ctx.get("Authorization"), "");
  if (credentials.kind !== "bearer") return given ?? null;
  return given === undefined ? credentials.secret : null;
}

/**
 * Id and secret by HTTP Basic, each escaped as in a form (RFC 6749, 2.3.1); none has a space, which would be a plus. Any
 * other header is ignored, because the original's SDK sends its expired token, or its key, with every call.
 */
function readClient(authorization: string): Record<string, string> {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded ?? "", "base64").toString("utf8")) ?? [];
  try {
    return id && secret
      ? { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) }
      : {};
  } catch {
    return {};
  }
}

function answerInvalid(ctx: AppContext, description: string): void {
  answerJson(ctx, 400, { error: "invalid_request", error_description: description });
}

function answerJson(ctx: AppContext, status: number, body: Record<string, unknown>): void {
  ctx.status = status;
  sendJson(ctx, body);
}
