/** Web clients: the OAuth 2.0 clients of an application, each with an id, a secret and redirect addresses. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { DocumentStore } from "../stores/mongodb/mongo.ts";
import { openCollection } from "./collections.ts";
import { generateId, hashSecret } from "./secrets.ts";

export const webClients = openCollection<WebClient>("web_clients");
const SECRET_BYTES = 32;

export interface WebClient {
  /** The `client_id`. */
  _id: string;
  application: string;
  /** SHA-256 of the secret, which is random. */
  secret_hash: string;
  /** The previous secret, which is also accepted until it expires. */
  former_secret?: { hash: string; expires_at: string };
  /** The addresses that browsers may be sent back to. The address in a request must equal one of them exactly. */
  redirect_uris: string[];
  created_at: string;
}

/** A new random secret, 64 hexadecimal digits, so that no client needs to escape it. */
export function generateClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

/** Stores a new client, and returns it. Of the secret only a hash is stored. */
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

/** Stores a changed client, unless it has changed since it was read; then it returns false. */
export function changeClient(
  documents: DocumentStore,
  asRead: WebClient,
  changed: WebClient,
): Promise<boolean> {
  return documents.putIf(webClients.collection, { ...asRead }, { ...changed });
}

/** The client with a new secret. `formerUntil`: how long the former one stays valid; absent: it is invalid at once. */
export function withSecret(client: WebClient, secret: string, formerUntil?: string): WebClient {
  const { _id, application, redirect_uris, created_at, secret_hash: hash } = client;
  const kept = formerUntil !== undefined && { former_secret: { hash, expires_at: formerUntil } };
  return { _id, application, secret_hash: hashSecret(secret), ...kept, redirect_uris, created_at };
}

/** The previous secret, while it is still accepted. */
export function formerSecretOf(
  { former_secret: former }: WebClient,
  moment: Date,
): WebClient["former_secret"] {
  return former && former.expires_at > moment.toISOString() ? former : undefined;
}

/** True for the client's secret, and for the previous one while it is still accepted. */
export function isSecretOf(client: WebClient, secret: string, moment: Date): boolean {
  const given = Buffer.from(hashSecret(secret));
  const right = [client.secret_hash, formerSecretOf(client, moment)?.hash ?? []].flat();
  return right.some((hash) => timingSafeEqual(given, Buffer.from(hash)));
}

/**
 * Returns the address if a client may register it, otherwise null. Allowed are https, http on the client's own machine,
 * and an application's own scheme (with a dot in it); a fragment, user or password is not.
 */
export function parseRedirectUri(text: string): string | null {
  if (!URL.canParse(text) || text.includes("#") || /[^\x21-\x7e]/.test(text)) return null;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return null;
  // A browser takes an https address without // for a relative one on our host, and reads \ as /.
  if (/^https?:/.test(protocol) && !/^\w+:\/\/[^\\]*$/.test(text)) return null;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isOwnScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
  return protocol === "https:" || (protocol === "http:" && isLocal) || isOwnScheme ? text : null;
}
