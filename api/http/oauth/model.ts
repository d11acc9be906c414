/**
 * The model that the OAuth 2.0 library needs, over our store. A code is used in one atomic step, so only one of several
 * requests succeeds. A second use ends the grant, with all its tokens (RFC 6749, 4.1.2).
 */
import OAuth2Server from "@node-oauth/oauth2-server";
import { applications, type Application } from "../../shared/access/applications.ts";
import {
  fetchToken,
  prolongGrant,
  prolongToken,
  revokeGrant,
  storeGrant,
  storeToken,
  useCode,
  type Grant,
  type StoredToken,
} from "../../shared/access/grants.ts";
import { people } from "../../shared/access/people.ts";
import { readAsked } from "../../shared/access/scopes.ts";
import { isSecretOf, webClients, type WebClient } from "../../shared/access/web-clients.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";

export interface ServerOptions {
  documents: DocumentStore;
  /** Lifetimes of access and refresh tokens, in seconds. */
  lifetimes: { access: number; refresh: number };
  /** Called with a grant that ended because its code was used twice. */
  onReuse: (grant: string) => Promise<void>;
}

const GRANT_TYPES = ["authorization_code", "refresh_token"];

/** A client as the library knows it, with our own client and application. */
export interface LibraryClient extends OAuth2Server.Client {
  client: WebClient;
  application: Application;
}

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

interface TokenRequest {
  /** Must equal that of the code. Undefined: none was sent, since the specification (5.6) does not ask for it. */
  redirectUri?: string | undefined;
  /** Called before a code is used; throws when the request has ended meanwhile. */
  beforeUse?: () => void;
}

/**
 * Builds the model. `purpose`: "check" stores nothing, "grant" stores a code, and for "token" the client must
 * authenticate itself. `asked`: the request to the token endpoint.
 */
export function buildModel(
  options: ServerOptions,
  base: string,
  purpose: "check" | "grant" | "token",
  asked: TokenRequest = {},
): Model {
  const { documents } = options;
  return {
    getClient: (id, secret) =>
      fetchLibraryClient(documents, id, purpose === "token" ? (secret ?? null) : undefined),
    validateScope: (_user, client, scope) => {
      const asked = readAsked(scope ?? [], base, (client as LibraryClient).application.scopes);
      if ("fault" in asked) throw new OAuth2Server.InvalidScopeError(`Invalid scope: ${asked.fault}`);
      return Promise.resolve(asked.scopes);
    },
    saveAuthorizationCode: async (code, client, user) => {
      if (purpose === "grant") await keepCode(documents, code, client as LibraryClient, String(user.id));
      return { ...code, client, user };
    },
    ...buildCodeModel(options, asked),
    ...buildRefreshModel(options),
    ...buildTokenModel(options),
    getAccessToken: () => Promise.resolve(null),
  };
}

/**
 * Stores issued tokens. The lifetime of a refresh token, of a new one or the one that was sent, begins now, so that it
 * ends when its client is inactive (RFC 9700, 4.14.2). The grant lasts as long as the last of its tokens.
 */
function buildTokenModel({ documents, lifetimes }: ServerOptions): Pick<Model, "saveToken"> {
  return {
    saveToken: async (token, client, user) => {
      const { accessToken, accessTokenExpiresAt, refreshToken } = token;
      const common = { grant: String(user.grant), scopes: token.scope ?? [] };
      if (!accessTokenExpiresAt) throw new Error("tokens must end");
      const accessEnd = accessTokenExpiresAt.toISOString();
      await storeToken(documents, accessToken, { ...common, kind: "access", expires_at: accessEnd });
      const now = new Date();
      const expires_at = new Date(now.getTime() + lifetimes.refresh * 1_000).toISOString();
      if (refreshToken) await storeToken(documents, refreshToken, { ...common, kind: "refresh", expires_at });
      else await prolongToken(documents, String(user.refreshed), expires_at);
      await prolongGrant(documents, common.grant, accessEnd > expires_at ? accessEnd : expires_at, now);
      // Without `scope`: it equals the requested one, and the original does not send it.
      return { accessToken, accessTokenExpiresAt, ...(refreshToken && { refreshToken }), client, user };
    },
  };
}

function buildCodeModel(
  options: ServerOptions,
  asked: TokenRequest,
): Pick<Model, "getAuthorizationCode" | "revokeAuthorizationCode"> {
  return {
    getAuthorizationCode: async (secret) => {
      const stored = await fetchHeld(options, "code", secret);
      if (!stored) return null;
      const { token, grant } = stored;
      if (token.used_at !== undefined) {
        await endFamily(options, grant._id);
        return null;
      }
      const { redirect_uri, code_challenge } = token;
      if (asked.redirectUri !== undefined && asked.redirectUri !== redirect_uri)
        throw new OAuth2Server.InvalidGrantError("Invalid grant: `redirect_uri` is not that of the code");
      return {
        authorizationCode: secret,
        expiresAt: new Date(token.expires_at),
        // Empty, since it was compared above. The library would call a wrong one invalid_request (RFC 6749, 5.2).
        redirectUri: "",
        scope: token.scopes,
        ...partiesOf(grant),
        // An authorisation request with another method is refused.
        ...(code_challenge !== undefined && { codeChallenge: code_challenge, codeChallengeMethod: "S256" }),
      };
    },
    revokeAuthorizationCode: async ({ authorizationCode, user }) => {
      asked.beforeUse?.();
      if (await useCode(options.documents, authorizationCode, new Date())) return true;
      await endFamily(options, String(user.grant));
      return false;
    },
  };
}

function buildRefreshModel(options: ServerOptions): Pick<Model, "getRefreshToken" | "revokeToken"> {
  return {
    getRefreshToken: async (secret) => {
      const stored = await fetchHeld(options, "refresh", secret);
      if (!stored) return null;
      const { token, grant } = stored;
      return {
        refreshToken: secret,
        refreshTokenExpiresAt: new Date(token.expires_at),
        scope: token.scopes,
        ...partiesOf(grant, secret),
      };
    },
    // The library requires this function, but does not call it while refresh tokens stay the same.
    revokeToken: () => Promise.resolve(false),
  };
}

/** The client and the person of a grant, in the library's form. `refreshed`: the refresh token that was sent. */
function partiesOf({ _id, client, person }: Grant, refreshed?: string) {
  return { client: { id: client, grants: GRANT_TYPES }, user: { id: person, grant: _id, refreshed } };
}

/** The code or token; null if it is unknown, or its person was deleted, in which case its grant ends. */
async function fetchHeld(
  { documents }: ServerOptions,
  kind: "code" | "refresh",
  secret: string,
): Promise<StoredToken | null> {
  const stored = await fetchToken(documents, kind, secret);
  if (!stored) return null;
  if (await people.fetch(documents, stored.grant.person)) return stored;
  await revokeGrant(documents, stored.grant._id);
  return null;
}

async function endFamily({ documents, onReuse }: ServerOptions, grant: string): Promise<void> {
  if (await revokeGrant(documents, grant)) await onReuse(grant);
}

async function keepCode(
  documents: DocumentStore,
  code: Pick<OAuth2Server.AuthorizationCode, "authorizationCode" | "expiresAt" | "redirectUri" | "scope"> & {
    codeChallenge?: string | undefined;
  },
  { client, application }: LibraryClient,
  person: string,
): Promise<void> {
  const expires_at = code.expiresAt.toISOString();
  const scopes = code.scope ?? [];
  const facts = { application: application._id, client: client._id, person, scopes, expires_at };
  const grant = await storeGrant(documents, facts, new Date());
  await storeToken(documents, code.authorizationCode, {
    ...{ kind: "code", grant: grant._id, scopes, expires_at, redirect_uri: code.redirectUri },
    ...(code.codeChallenge !== undefined && { code_challenge: code.codeChallenge }),
  });
}

/** The client with this id, or false. `secret`: undefined where none is needed; otherwise it must be the client's. */
export async function fetchLibraryClient(
  documents: DocumentStore,
  id: string,
  secret: string | null | undefined,
): Promise<LibraryClient | false> {
  const client = await webClients.fetch(documents, id);
  if (!client || secret === null) return false;
  if (secret !== undefined && !isSecretOf(client, secret, new Date())) return false;
  const application = await applications.fetch(documents, client.application);
  if (!application) return false;
  return { id, grants: GRANT_TYPES, redirectUris: client.redirect_uris, client, application };
}
