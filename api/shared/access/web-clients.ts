/** Owns web clients: how an application takes part in OAuth 2.0, with an id, a secret and its redirect addresses. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openKept } from "./kept.ts";
import { generateId, hashSecret } from "./secrets.ts";

export const webClients = openKept<WebClient>("web_clients");
const SECRET_BYTES = 32;

export interface WebClient {
  /** The `client_id`. */
  _id: string;
  application: string;
  /** SHA-256 of the secret, which is random. */
  secret_hash: string;
  /** The secret before this one, which is right as well until then. */
  former_secret?: { hash: string; expires_at: string };
  /** Where browsers may be sent back to; compared letter by letter. */
  redirect_uris: string[];
  created_at: string;
}

/** A new random secret; letters and digits alone, which no client escapes. */
export function generateClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

/** Keeps a new client; the secret itself is nowhere stored. */
export function storeClient(
  documents: DocumentStore,
  given: Pick<WebClient, "application" | "redirect_uris"> & { id?: string; secret: string },
  moment: Date,
): Promise<WebClient> {
  const { id = generateId(), secret, application, redirect_uris } = given;
  return webClients.put(documents, {
    _id: id,
    ...{ application, secret_hash: hashSecret(secret), redirect_uris },
    created_at: moment.toISOString(),
  });
}

/** Stores a client as it is now, if it is still as it was read; false where it is not. */
export function changeClient(
  documents: DocumentStore,
  asRead: WebClient,
  changed: WebClient,
): Promise<boolean> {
  return documents.putIf(webClients.collection, { ...asRead }, { ...changed });
}

/** The client with another secret. `formerUntil`: until when the one before is right as well; absent: from now on it is wrong. */
export function withSecret(client: WebClient, secret: string, formerUntil?: string): WebClient {
  const { _id, application, redirect_uris, created_at, secret_hash: hash } = client;
  const kept = formerUntil !== undefined && { former_secret: { hash, expires_at: formerUntil } };
  return { _id, application, secret_hash: hashSecret(secret), ...kept, redirect_uris, created_at };
}

/** The secret before the client's own, while that is right as well. */
export function formerSecretOf(
  { former_secret: former }: WebClient,
  moment: Date,
): WebClient["former_secret"] {
  return former && former.expires_at > moment.toISOString() ? former : undefined;
}

/** True for the client's secret, and for the one before while that is kept. */
export function isSecretOf(client: WebClient, secret: string, moment: Date): boolean {
  const given = Buffer.from(hashSecret(secret));
  const right = [client.secret_hash, formerSecretOf(client, moment)?.hash ?? []].flat();
  return right.some((hash) => timingSafeEqual(given, Buffer.from(hash)));
}

/**
 * The address as a client may register it, or null: https, http to this machine alone, or a scheme of an application's own
 * (with a dot in it); without a fragment, user or password.
 */
export function parseRedirectUri(text: string): string | null {
  if (!URL.canParse(text) || text.includes("#") || /[^\x21-\x7e]/.test(text)) return null;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return null;
  // To a browser that comes from us, one without // is an address of our own; and it reads \ as /.
  if (/^https?:/.test(protocol) && !/^\w+:\/\/[^\\]*$/.test(text)) return null;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isOwnScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
  return protocol === "https:" || (protocol === "http:" && isLocal) || isOwnScheme ? text : null;
}
