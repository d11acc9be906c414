/**
 * Owns what people have granted, and the codes and tokens that come of it. A grant is the head of a family: each code,
 * access token and refresh token holds only as long as its grant is there, so that taking the grant away, in one step,
 * ends all of them.
 */
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { applications } from "./applications.ts";
import { writeAudit } from "./audit.ts";
import { openKept } from "./kept.ts";
import { people } from "./people.ts";
import { generateId, hashSecret } from "./secrets.ts";
import { webClients } from "./web-clients.ts";

export const GRANTS = "oauth_grants";
export const TOKENS = "oauth_tokens";
const grants = openKept<Grant>(GRANTS);
const tokens = openKept<GrantedToken>(TOKENS);

/** What a person has granted to a client, as it is kept. */
export interface Grant {
  _id: string;
  application: string;
  client: string;
  person: string;
  /** In short form. */
  scopes: string[];
  created_at: string;
  /** When the last of its tokens ends. */
  expires_at: string;
  /** When it last got a token: at most the lifetime of an access token before its last use. Absent: never, or not known. */
  used_at?: string;
}

/** A code or token as it is kept. */
interface GrantedToken {
  /** SHA-256 of the token. */
  _id: string;
  kind: "code" | "access" | "refresh";
  grant: string;
  /** Scopes in short form: those of the grant, or fewer. */
  scopes: string[];
  expires_at: string;
  /** Of a code, which is used once: when it was used. */
  used_at?: string;
  /** Of a code: where it was sent to, and the proof that the client that sends it had asked for it (PKCE). */
  redirect_uri?: string;
  code_challenge?: string;
  code_challenge_method?: string;
}

export interface StoredToken {
  token: GrantedToken;
  grant: Grant;
}

/** Keeps a new grant; returns it. */
export function storeGrant(
  documents: DocumentStore,
  given: Omit<Grant, "_id" | "created_at">,
  moment: Date,
): Promise<Grant> {
  const _id = `${generateId()}${generateId()}`;
  return grants.put(documents, { _id, ...given, created_at: moment.toISOString() });
}

/** Keeps a new code or token by its hash. */
export async function storeToken(
  documents: DocumentStore,
  secret: string,
  given: Omit<GrantedToken, "_id">,
): Promise<void> {
  await tokens.put(documents, { _id: hashSecret(secret), ...given });
}

/** Lets a token live until then; one that was removed meanwhile stays away. */
export async function prolongToken(
  documents: DocumentStore,
  secret: string,
  expires_at: string,
): Promise<void> {
  await documents.amend(TOKENS, [{ _id: hashSecret(secret), expires_at }]);
}

/** Lets a grant live as long as its latest token, which it got at this moment; one that was taken away meanwhile stays away. */
export async function prolongGrant(
  documents: DocumentStore,
  id: string,
  expires_at: string,
  moment: Date,
): Promise<void> {
  await documents.amend(GRANTS, [{ _id: id, expires_at, used_at: moment.toISOString() }]);
}

/** A code or token of this kind with its grant, used or expired ones, too; null where there is none, or no grant. */
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

/** Uses a code, which may be used once, in one step: true for the one who did. */
export function takeToken(documents: DocumentStore, secret: string, moment: Date): Promise<boolean> {
  const unused = { _id: hashSecret(secret), used_at: { $exists: false } };
  return documents.amendIf(TOKENS, unused, { used_at: moment.toISOString() });
}

/** Ends a grant and all that came of it. True when it was there. */
export async function revokeGrant(documents: DocumentStore, id: string): Promise<boolean> {
  const found = await grants.fetch(documents, id);
  await grants.remove(documents, { _id: id });
  return found !== null;
}

/** Takes a code or token away, and nothing else of its grant. */
export const removeToken = tokens.remove;

/**
 * Ends a grant because somebody wishes it: the person, the client, or by default the user at this machine. The audit line comes
 * first: if this stops in between, what is gone has one.
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

/** A grant with the words for its person and its application. */
export interface NamedGrant extends Grant {
  email: string;
  /** The application's. */
  name: string;
}

/**
 * The grants in force, latest first: all, or those of a person or a client. Without its person, client or application a grant
 * gives nothing; it is stored until its tokens would have ended.
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

/** Removes what ended before this moment. A used code is kept until then, so that a second use is noticed. */
export async function removeEnded(documents: DocumentStore, moment: Date): Promise<void> {
  for (const collection of [TOKENS, GRANTS]) {
    await documents.removeBefore(collection, "expires_at", moment.toISOString());
  }
}
