/** Owns the OAuth 2.0 endpoints for web servers: tokens, their verification, and metadata. */
import { SCOPES } from "../../shared/access/scopes.ts";
import { hashSecret } from "../../shared/access/secrets.ts";
import { parseCredentials } from "../auth/credentials.ts";
import type { AppContext } from "../request-context.ts";
import type { OAuthContext } from "./context.ts";
import { readForm, readParameters, TOKEN } from "./parameters.ts";

/** Exchanges a code or refresh token for new tokens. Parameters: a form or the query, the client's also by HTTP Basic. */
export async function answerToken(ctx: AppContext, { server, baseOf }: OAuthContext): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  ctx.set("Pragma", "no-cache");
  // Compat: the original takes them in the query as well (api.md part 2).
  const given = readParameters({ ...ctx.query, ...readForm(ctx) }, TOKEN);
  const client = readClient(ctx.get("Authorization"));
  if (!given || client === null) {
    const description = given
      ? "Invalid client: HTTP Basic is not valid"
      : "Invalid request: a parameter is repeated";
    return answerFault(ctx, { error: given ? "invalid_client" : "invalid_request", description });
  }
  const { status, body } = await server.token({ ...given, ...client }, baseOf(ctx));
  if (status === 401) challengeClient(ctx);
  answerJson(ctx, status, body);
}

/** What an access token is valid for: its person, its scopes, its lifetime. */
export async function verifyToken(ctx: AppContext, { tokens, clock, baseOf }: OAuthContext): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  const secret = readAccessToken(ctx);
  if (secret === null) {
    return answerFault(ctx, { error: "invalid_request", description: "One access_token is asked for" });
  }
  const caller = await tokens.find(hashSecret(secret));
  const { principal, expiresAt = 0 } = caller ?? {};
  const leftMs = expiresAt - clock().getTime();
  if (!principal || leftMs <= 0) {
    ctx.set("WWW-Authenticate", 'Bearer error="invalid_token"');
    return answerJson(ctx, 401, { error: "invalid_token", error_description: "It is unknown, or has ended" });
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

/** The token in the query or after the word Bearer; null when there is none or more than one. */
function readAccessToken(ctx: AppContext): string | null {
  const given = readParameters(ctx.query, ["access_token"])?.access_token;
  const credentials = parseCredentials(ctx.get("Authorization"), "");
  if (credentials.kind === "bearer") return given === undefined ? credentials.secret : null;
  return credentials.kind === "none" ? (given ?? null) : null;
}

/** Id and secret by HTTP Basic, each escaped as in a form (RFC 6749, 2.3.1); null when the header is not one. */
function readClient(authorization: string): Record<string, string> | null {
  if (authorization.trim() === "") return {};
  const [, encoded] = /^basic\s+(\S+)$/i.exec(authorization.trim()) ?? [];
  const [, id, secret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded ?? "", "base64").toString("utf8")) ?? [];
  try {
    const unescape = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
    return id && secret ? { client_id: unescape(id), client_secret: unescape(secret) } : null;
  } catch {
    return null;
  }
}

function answerFault(ctx: AppContext, { error, description }: { error: string; description: string }): void {
  if (error === "invalid_client") challengeClient(ctx);
  answerJson(ctx, error === "invalid_client" ? 401 : 400, { error, error_description: description });
}

function challengeClient(ctx: AppContext): void {
  ctx.set("WWW-Authenticate", 'Basic realm="oauth"');
}

function answerJson(ctx: AppContext, status: number, body: Record<string, unknown>): void {
  ctx.status = status;
  ctx.set("Content-Type", "application/json");
  ctx.body = body;
}
