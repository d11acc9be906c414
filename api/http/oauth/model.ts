/**
 * Owns the model that the OAuth 2.0 library needs over our store. A code or refresh token is used in one atomic step, so only
 * one of several requests succeeds. Using it a second time ends the whole family of its grant (RFC 9700, 4.14).
 */
import { timingSafeEqual } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import { applications, type Application } from "../../shared/access/applications.ts";
import {
  fetchToken,
  prolongGrant,
  revokeGrant,
  storeGrant,
  storeToken,
  takeToken,
  type Grant,
  type GrantedToken,
} from "../../shared/access/grants.ts";
import { people } from "../../shared/access/people.ts";
import { mayAskFor, shortenScopes } from "../../shared/access/scopes.ts";
import { hashSecret } from "../../shared/access/secrets.ts";
import { webClients, type WebClient } from "../../shared/access/web-clients.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";

export interface ServerOptions {
  documents: DocumentStore;
  /** Lifetimes of access and refresh tokens, in seconds. */
  lifetimes: { access: number; refresh: number };
  /** Called with a grant that ended because its code or refresh token was used twice. */
  onReuse: (grant: string, kind: GrantedToken["kind"]) => Promise<void>;
}

const GRANT_TYPES = ["authorization_code", "refresh_token"];

/** A client as the library knows it, with our own. */
export interface LibraryClient extends OAuth2Server.Client {
  client: WebClient;
  application: Application;
}

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

interface TokenRequest {
  /** False: no redirect address, which the specification (5.6) omits. One that is sent must equal that of the code. */
  hasRedirect: boolean;
  /** Scopes in short form; null: some that no grant can have; absent: none sent, which means all that were granted. */
  scopes?: readonly string[] | null | undefined;
  /** Called before a code or refresh token is used; throws when the request has ended meanwhile. */
  beforeUse?: () => void;
}

/**
 * Builds the model. `purpose`: "check" stores nothing. At the token endpoint, which `asked` is about, a client must
 * authenticate itself.
 */
export function buildModel(
  options: ServerOptions,
  base: string,
  purpose: "check" | "grant" | "token",
  asked: TokenRequest = { hasRedirect: true },
): Model {
  const { documents } = options;
  return {
    getClient: (id, secret) =>
      fetchLibraryClient(documents, id, purpose === "token" ? (secret ?? null) : undefined),
    validateScope: (_user, client, scope) => {
      const scopes = shortenScopes(scope ?? [], base);
      const { application } = client as LibraryClient;
      return Promise.resolve(scopes?.every((one) => mayAskFor(application.scopes, one)) ? scopes : false);
    },
    saveAuthorizationCode: async (code, client, user) => {
      if (purpose === "grant") await keepCode(documents, code, client as LibraryClient, String(user.id));
      return { ...code, client, user };
    },
    ...buildCodeModel(options, asked),
    ...buildRefreshModel(options, asked),
    ...buildTokenModel(options, asked),
    getAccessToken: () => Promise.resolve(null),
  };
}

/** Stores what was issued: both tokens, and the grant for as long as one of them is valid. */
function buildTokenModel(options: ServerOptions, asked: TokenRequest): Pick<Model, "saveToken"> {
  const { documents } = options;
  return {
    saveToken: async (token, client, user) => {
      const { accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt } = token;
      const common = { grant: String(user.grant), scopes: token.scope ?? [] };
      if (!accessTokenExpiresAt || !refreshTokenExpiresAt || !refreshToken)
        throw new Error("tokens must end");
      const accessEnd = accessTokenExpiresAt.toISOString();
      await storeToken(documents, accessToken, { ...common, kind: "access", expires_at: accessEnd });
      const expires_at = refreshTokenExpiresAt.toISOString();
      await storeToken(documents, refreshToken, { ...common, kind: "refresh", expires_at });
      await prolongGrant(documents, common.grant, accessEnd > expires_at ? accessEnd : expires_at);
      // Last: where the store is away before, the caller can come again with the same refresh token.
      const { refreshed } = user;
      const used = { kind: "refresh", secret: String(refreshed), grant: common.grant } as const;
      if (refreshed !== undefined && !(await takeOnce(options, asked, used)))
        throw new OAuth2Server.InvalidGrantError("Invalid grant: refresh token was used before");
      // Without `scope`: it equals the requested one, and the original does not send it.
      return { accessToken, accessTokenExpiresAt, refreshToken, client, user };
    },
  };
}

function buildCodeModel(
  options: ServerOptions,
  asked: TokenRequest,
): Pick<Model, "getAuthorizationCode" | "revokeAuthorizationCode"> {
  return {
    getAuthorizationCode: async (secret) => {
      const stored = await fetchUnused(options, "code", secret);
      if (!stored) return null;
      const { token, grant } = stored;
      const { redirect_uri = "", code_challenge, code_challenge_method } = token;
      return {
        authorizationCode: secret,
        expiresAt: new Date(token.expires_at),
        // The library compares it only when it is present.
        redirectUri: asked.hasRedirect ? redirect_uri : "",
        scope: token.scopes,
        ...partiesOf(grant),
        ...(code_challenge !== undefined && { codeChallenge: code_challenge }),
        ...(code_challenge_method !== undefined && { codeChallengeMethod: code_challenge_method }),
      };
    },
    revokeAuthorizationCode: ({ authorizationCode, user }) =>
      takeOnce(options, asked, { kind: "code", secret: authorizationCode, grant: String(user.grant) }),
  };
}

function buildRefreshModel(
  options: ServerOptions,
  { scopes }: TokenRequest,
): Pick<Model, "getRefreshToken" | "revokeToken"> {
  return {
    getRefreshToken: async (secret) => {
      const stored = await fetchUnused(options, "refresh", secret);
      if (!stored) return null;
      const { token, grant } = stored;
      // Checked before the token is used: the library would refuse only afterwards, and the token would be lost.
      if (scopes === null || scopes?.some((scope) => !token.scopes.includes(scope))) {
        throw new OAuth2Server.InvalidScopeError("Invalid scope: Unable to add extra scopes");
      }
      return {
        refreshToken: secret,
        refreshTokenExpiresAt: new Date(token.expires_at),
        scope: token.scopes,
        ...partiesOf(grant, secret),
      };
    },
    // It is used up when the new tokens are stored.
    revokeToken: () => Promise.resolve(true),
  };
}

/** The client and the person of a grant, in the library's form. `refreshed`: the refresh token that new ones replace. */
function partiesOf({ _id, client, person }: Grant, refreshed?: string) {
  return { client: { id: client, grants: GRANT_TYPES }, user: { id: person, grant: _id, refreshed } };
}

/** The token if it is unused, and its person still there. A used token ends its family. */
async function fetchUnused(options: ServerOptions, kind: "code" | "refresh", secret: string) {
  const { documents } = options;
  const stored = await fetchToken(documents, kind, secret);
  if (!stored) return null;
  if (stored.token.used_at !== undefined) {
    await endFamily(options, stored.grant._id, kind);
    return null;
  }
  if (await people.fetch(documents, stored.grant.person)) return stored;
  await revokeGrant(documents, stored.grant._id);
  return null;
}

async function takeOnce(
  options: ServerOptions,
  { beforeUse }: TokenRequest,
  { kind, secret, grant }: { kind: "code" | "refresh"; secret: string; grant: string },
): Promise<boolean> {
  beforeUse?.();
  if (await takeToken(options.documents, secret, new Date())) return true;
  await endFamily(options, grant, kind);
  return false;
}

async function endFamily({ documents, onReuse }: ServerOptions, grant: string, kind: "code" | "refresh") {
  if (await revokeGrant(documents, grant)) await onReuse(grant, kind);
}

async function keepCode(
  documents: DocumentStore,
  code: Pick<OAuth2Server.AuthorizationCode, "authorizationCode" | "expiresAt" | "redirectUri" | "scope"> & {
    codeChallenge?: string | undefined;
    codeChallengeMethod?: string | undefined;
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
    ...(code.codeChallengeMethod !== undefined && { code_challenge_method: code.codeChallengeMethod }),
  });
}

/** The client with this id. `secret`: undefined where none is needed, else it must be the client's. */
async function fetchLibraryClient(
  documents: DocumentStore,
  id: string,
  secret: string | null | undefined,
): Promise<LibraryClient | false> {
  const client = await webClients.fetch(documents, id);
  if (!client || (secret !== undefined && !isSecretOf(client, secret))) return false;
  const application = await applications.fetch(documents, client.application);
  if (!application) return false;
  return { id, grants: GRANT_TYPES, redirectUris: client.redirect_uris, client, application };
}

function isSecretOf({ secret_hash }: WebClient, secret: string | null): boolean {
  return secret !== null && timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(secret_hash));
}
