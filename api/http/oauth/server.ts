/** The OAuth 2.0 protocol, from requests to outcomes. The library @node-oauth/oauth2-server implements most of it. */
import OAuth2Server, { type OAuthError } from "@node-oauth/oauth2-server";
import type { Application } from "../../shared/access/applications.ts";
import { endGrant, fetchToken, removeToken } from "../../shared/access/grants.ts";
import { shortenScope } from "../../shared/access/scopes.ts";
import type { WebClient } from "../../shared/access/web-clients.ts";
import { buildModel, fetchLibraryClient, type LibraryClient, type ServerOptions } from "./model.ts";

/** Parameters of a request, each at most once. */
export type Parameters = Record<string, string>;

/** What the person decides about, after client, redirect address and scopes were checked. */
interface Asked {
  client: WebClient;
  application: Application;
  /** In short form. */
  scopes: string[];
}

/** An authorisation request that was refused. `mayRedirect`: the error may be sent to the client by redirect. */
interface Refusal {
  error: string;
  description: string;
  mayRedirect: boolean;
}

/** The answer to a client. */
export interface ClientAnswer {
  status: number;
  /** Absent: none. */
  body?: Record<string, unknown>;
}

// Compat: a code lasts for minutes, as the original's does (api.md part 2).
const CODE_SECONDS = 300;
// SHA-256 in base64url without padding, the result of S256.
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const BAD_CHALLENGE = "Invalid parameter: `code_challenge` needs `code_challenge_method` S256";

// The library's own words.
const UNSUPPORTED = "Unsupported grant type: `grant_type` is invalid";

export type AuthorizationServer = ReturnType<typeof openAuthorizationServer>;

/** Opens the protocol over a store. `base`, in each of its functions: address of the service, the prefix of scopes. */
export function openAuthorizationServer(options: ServerOptions) {
  return {
    /** Checks an authorisation request; stores nothing. */
    check: async (parameters: Parameters, base: string): Promise<Asked | Refusal> => {
      const outcome = await authorise(buildModel(options, base, "check"), parameters, { id: "nobody" });
      if (isRefusal(outcome)) return outcome;
      const { code_challenge: challenge, code_challenge_method: method } = parameters;
      // Without a method the challenge is plain text (RFC 7636, 4.3), but the library would take it for S256.
      if (challenge !== undefined && (method !== "S256" || !CHALLENGE.test(challenge))) {
        return { error: "invalid_request", description: BAD_CHALLENGE, mayRedirect: true };
      }
      // The cast: our model made it.
      const { client, application } = outcome.client as LibraryClient;
      return { client, application, scopes: outcome.scope ?? [] };
    },
    /** Stores what the person granted and returns the code. Throws what `check` refuses. */
    grant: async (parameters: Parameters, base: string, person: string): Promise<string> => {
      const outcome = await authorise(buildModel(options, base, "grant"), parameters, { id: person });
      if (isRefusal(outcome)) throw new Error(`${outcome.error}: ${outcome.description}`);
      return outcome.authorizationCode;
    },
    /** Answers the token endpoint: exchanges a code or a refresh token. `beforeUse` is called before a code is used. */
    token: (parameters: Parameters, base: string, beforeUse: () => void) =>
      answerToken(options, parameters, { base, beforeUse }),
    /** Answers the revocation endpoint (RFC 7009): a client ends a token of its own. */
    revoke: (parameters: Parameters) => revokeToken(options, parameters),
  };
}

/** True for a refusal. */
export function isRefusal(outcome: object): outcome is Refusal {
  return "error" in outcome;
}

/** Lets the library check an authorisation request. The model decides whether a code is stored. */
async function authorise(
  model: OAuth2Server.AuthorizationCodeModel,
  parameters: Parameters,
  user: OAuth2Server.User,
) {
  const request = new OAuth2Server.Request({ method: "GET", headers: {}, query: parameters });
  const response = new OAuth2Server.Response();
  const settings = {
    allowEmptyState: true,
    authorizationCodeLifetime: CODE_SECONDS,
    authenticateHandler: { handle: () => user },
  };
  try {
    return await new OAuth2Server({ model }).authorize(request, response, settings);
  } catch (error) {
    const { name, message } = requireOAuthError(error);
    // The library sets a location when client and redirect address belong together.
    return { error: name, description: message, mayRedirect: response.get("location") !== undefined };
  }
}

async function answerToken(
  options: ServerOptions,
  parameters: Parameters,
  { base, beforeUse }: { base: string; beforeUse: () => void },
): Promise<ClientAnswer> {
  const { redirect_uri: redirectUri, scope } = parameters;
  // An invalid scope is passed on unchanged: the library refuses it, because it was not granted.
  const shorten = (text: string) => shortenScope(text, base) ?? text;
  const body = { ...parameters, ...(scope && { scope: scope.trim().split(/\s+/).map(shorten).join(" ") }) };
  // The parameters are passed on as a form, however they arrived.
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "1" };
  const request = new OAuth2Server.Request({ method: "POST", headers, query: {}, body });
  const response = new OAuth2Server.Response();
  const model = buildModel(options, base, "token", { redirectUri, beforeUse });
  try {
    await new OAuth2Server({ model }).token(request, response, {
      accessTokenLifetime: options.lifetimes.access,
      refreshTokenLifetime: options.lifetimes.refresh,
      // Compat: a refresh returns no refresh token (api.md part 2), so clients keep the first. It works only with the
      // client's secret; only public clients must get a new one at each use, to notice theft (RFC 9700, 4.14.2).
      alwaysIssueNewRefreshToken: false,
    });
    return { status: 200, body: response.body as Record<string, unknown> };
  } catch (error) {
    const refusal = requireOAuthError(error);
    // All clients have the same grant types, so one that a client lacks is one that we do not support (RFC 6749, 5.2).
    const isUnsupported = refusal.name === "unauthorized_client";
    const { name, message } = isUnsupported
      ? new OAuth2Server.UnsupportedGrantTypeError(UNSUPPORTED)
      : refusal;
    const status = name === "invalid_client" ? 401 : 400;
    return refuse(status, name, message);
  }
}

/**
 * Ends an access token alone, or with a refresh token its whole grant. An unknown token is no error (RFC 7009, 2.2).
 * The parameter `token_type_hint` is not needed to find the token.
 */
async function revokeToken({ documents }: ServerOptions, parameters: Parameters): Promise<ClientAnswer> {
  const { client_id = "", client_secret = null, token } = parameters;
  const client = await fetchLibraryClient(documents, client_id, client_secret);
  if (!client) return refuse(401, "invalid_client", "Invalid client: client is invalid");
  if (token === undefined) return refuse(400, "invalid_request", "Missing parameter: `token`");
  const stored = await fetchToken(documents, "any", token);
  if (!stored) return { status: 200 };
  if (stored.grant.client !== client.id)
    return refuse(400, "invalid_grant", "The token was issued to another client");
  if (stored.token.kind === "access") await removeToken(documents, stored.token);
  else await endGrant(documents, stored.grant, new Date(), `client ${client.id}`);
  return { status: 200 };
}

function refuse(status: number, error: string, error_description: string): ClientAnswer {
  return { status, body: { error, error_description } };
}

/** Returns a refusal by the library. Rethrows any other error, without the wrapper that the library put around it. */
function requireOAuthError(error: unknown): OAuthError {
  if (!(error instanceof OAuth2Server.OAuthError)) throw error;
  const { inner } = error as { inner?: unknown };
  if (error.name === "server_error") throw inner instanceof Error ? inner : error;
  return error;
}
