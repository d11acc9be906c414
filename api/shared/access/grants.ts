/**
 * Grants of people to clients (OAuth 2.0), with their codes and tokens. A code, access token or refresh token is valid
 * only while its grant exists, so removing the grant ends all of them in one step.
 */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { applications } from "./applications.ts";
import { writeAudit } from "./audit.ts";
import { openCollection } from "./collections.ts";
import { people } from "./people.ts";
import { generateId, hashSecret } from "./secrets.ts";
import { webClients } from "./web-clients.ts";

export const GRANTS = "oauth_grants";
export const TOKENS = "oauth_tokens";
const grants = openCollection<Grant>(GRANTS);
const tokens = openCollection<GrantedToken>(TOKENS);

/** A stored grant: what a person has allowed a client to do. */
export interface Grant {
  _id: string;
  application: string;
  client: string;
  person: string;
  /** In short form. */
  scopes: string[];
  created_at: string;
  /** When the last of its tokens expires. */
  expires_at: string;
  /** When a token was last issued; the last use is at most a token's lifetime later. Absent: never, or unknown. */
  used_at?: string;
}

/** A stored code or token. */
interface GrantedToken {
  /** SHA-256 of the token. */
  _id: string;
  kind: "code" | "access" | "refresh";
  grant: string;
  /** Scopes in short form: those of the grant, or fewer. */
  scopes: string[];
  expires_at: string;
  /** Codes only, which can be used once: when it was used. */
  used_at?: string;
  /** Codes only: the address it was sent to, and the PKCE challenge, by which a client proves that it asked for it. */
  redirect_uri?: string;
  code_challenge?: string;
}

export interface StoredToken {
  token: GrantedToken;
  grant: Grant;
}

/** Stores a new grant, and returns it. */
export function storeGrant(
  documents: DocumentStore,
  given: Omit<Grant, "_id" | "created_at">,
  moment: Date,
): Promise<Grant> {
  const _id = `${generateId()}${generateId()}`;
  return grants.put(documents, { _id, ...given, created_at: moment.toISOString() });
}

/** Stores a new code or token under its hash. */
export async function storeToken(
  documents: DocumentStore,
  secret: string,
  given: Omit<GrantedToken, "_id">,
): Promise<void> {
  await tokens.put(documents, { _id: hashSecret(secret), ...given });
}

/** Sets the expiry of a token. A token that was removed meanwhile is not created again. */
export async function prolongToken(
  documents: DocumentStore,
  secret: string,
  expires_at: string,
): Promise<void> {
  await documents.amend(TOKENS, [{ _id: hashSecret(secret), expires_at }]);
}

/**
 * Sets the expiry of a grant to that of its latest token, which was issued at `moment`. A grant that was removed
 * meanwhile is not created again.
 */
export async function prolongGrant(
  documents: DocumentStore,
  id: string,
  expires_at: string,
  moment: Date,
): Promise<void> {
  await documents.amend(GRANTS, [{ _id: id, expires_at, used_at: moment.toISOString() }]);
}

/** A code or token of this kind with its grant, even if used or expired; null if it or its grant does not exist. */
export async function fetchToken(
  documents: DocumentStore,
  kind: GrantedToken["kind"] | "any",
  secret: string,
): Promise<StoredToken | null> {
  const token = await tokens.fetch(documents, hashSecret(secret));
  if (!token || (kind !== "any" && token.kind !== kind)) return null;
  const grant = await grants.fetch(documents, token.grant);
  return grant && { token, grant };
}

/** The access tokens of these hashes with their grants, by hash. */
export async function fetchAccessTokens(
  documents: DocumentStore,
  hashes: readonly string[],
): Promise<Map<string, StoredToken>> {
  const found = await tokens.fetchAll(documents, { _id: hashes });
  const access = found.filter(({ kind }) => kind === "access");
  const heads = await grants.fetchById(
    documents,
    access.map(({ grant }) => grant),
  );
  return new Map(
    access.flatMap((token) => {
      const grant = heads.get(token.grant);
      return grant ? [[token._id, { token, grant }] as const] : [];
    }),
  );
}

/** Marks a code as used, in one atomic step. Of several callers with the same code, only one gets true. */
export function useCode(documents: DocumentStore, secret: string, moment: Date): Promise<boolean> {
  const unused = { _id: hashSecret(secret), used_at: { $exists: false } };
  return documents.amendIf(TOKENS, unused, { used_at: moment.toISOString() });
}

/** Ends a grant with its codes and tokens, without an audit line. Returns whether the grant existed. */
export async function revokeGrant(documents: DocumentStore, id: string): Promise<boolean> {
  const found = await grants.fetch(documents, id);
  await grants.remove(documents, { _id: id });
  return found !== null;
}

/** Removes a code or token; its grant and the grant's other tokens stay. */
export const removeToken = tokens.remove;

/**
 * Ends a grant on request of `by`: the person, the client, or by default the operating system's user. The audit line is
 * written first: if the process stops between the two steps, no grant is gone without a line.
 */
export async function endGrant(
  documents: DocumentStore,
  { _id, client, person }: Grant,
  moment: Date,
  by?: string,
): Promise<void> {
  const line = { action: "grant revoked", subject: _id, details: { client, person } };
  await writeAudit(documents, { ...line, ...(by !== undefined && { by }) }, moment);
  await grants.remove(documents, { _id });
}

/** A grant with the e-mail address of its person and the name of its application. */
export interface NamedGrant extends Grant {
  email: string;
  /** The application's. */
  name: string;
}

/**
 * The valid grants, latest first: all, or those of a person or a client. A grant whose person, client or application is
 * gone is not valid; it stays stored until it expires.
 */
export async function fetchGrants(
  documents: DocumentStore,
  now: Date,
  of: { person?: string; client?: string } = {},
): Promise<NamedGrant[]> {
  const stored = await grants.fetchByAge(documents, of);
  const found = stored.filter(({ expires_at }) => expires_at > now.toISOString()).reverse();
  const idsOf = (member: "person" | "client" | "application") => found.map((grant) => grant[member]);
  const [persons, clients, owners] = await Promise.all([
    people.fetchById(documents, idsOf("person")),
    webClients.fetchById(documents, idsOf("client")),
    applications.fetchById(documents, idsOf("application")),
  ]);
  return found.flatMap((grant) => {
    const email = persons.get(grant.person)?.email;
    const name = owners.get(grant.application)?.name;
    return email === undefined || name === undefined || !clients.has(grant.client)
      ? []
      : { ...grant, email, name };
  });
}

/** Removes what expired before this moment. Used codes stay until they expire, so that a second use is noticed. */
export async function removeEnded(documents: DocumentStore, moment: Date): Promise<void> {
  for (const collection of [TOKENS, GRANTS]) {
    await documents.removeBefore(collection, "expires_at", moment.toISOString());
  }
}
