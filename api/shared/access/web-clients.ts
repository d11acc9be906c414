/** Owns web clients: how an application takes part in OAuth 2.0, with an id, a secret and its redirect addresses. */
import { randomBytes } from "node:crypto";
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
