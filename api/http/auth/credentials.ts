/** Owns the parsing of credentials: a key by HTTP Basic or bare, or a bearer token. Pure. */

/** The credentials: a secret and its kind, nothing at all, or something that is neither. */
export type Credentials =
  { kind: "key" | "bearer"; secret: string } | { kind: "none" } | { kind: "malformed" };

const NONE: Credentials = { kind: "none" };
const MALFORMED: Credentials = { kind: "malformed" };
// Limit: no secret of ours is longer; a longer one is not looked up.
const LONGEST = 256;

/**
 * Reads the headers `Authorization` and `api_key`: the key as the user name of Basic authentication or bare, or a token
 * after the word `Bearer`.
 * Compat: the vendor's own SDK sends the bare key, and the interface definition declares `api_key`
 * (specification 5.3).
 */
export function parseCredentials(authorization: string, apiKeyHeader: string): Credentials {
  const given = authorization.trim() || apiKeyHeader.trim();
  if (given === "") return NONE;
  const [scheme = "", encoded, ...rest] = given.split(/\s+/);
  if (rest.length > 0) return MALFORMED;
  const word = scheme.toLowerCase();
  // A scheme alone is no key; neither is one of another kind.
  if (encoded === undefined)
    return word === "basic" || word === "bearer" ? MALFORMED : secretOf("key", scheme);
  if (word === "bearer") return secretOf("bearer", encoded);
  return word === "basic" ? secretOf("key", userOf(encoded)) : MALFORMED;
}

function secretOf(kind: "key" | "bearer", secret: string): Credentials {
  return secret === "" || secret.length > LONGEST ? MALFORMED : { kind, secret };
}

/** The user name of `user:password` in base64. */
function userOf(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("utf8").split(":", 1)[0] ?? "";
}
