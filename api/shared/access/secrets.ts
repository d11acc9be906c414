/** Makes secrets, and hashes them: random ones with a fast hash, passwords that people choose with a slow one. */
import { hash as hashOf, randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";

// 256 bits, too many to guess.
const TOKEN_BYTES = 32;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
// OWASP's first choice for scrypt is N=2^17, r=8, p=1 (128 MB); this one is of equal strength with 32 MB at a time.
const COST = { N: 2 ** 15, r: 8, p: 3 };
// The cost above needs slightly more than 32 MB, the default limit of Node.
const MAX_MEMORY = 64 * 1024 * 1024;

/** A new random token, URL-safe. */
export function generateToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** A short random id, ten hexadecimal digits, for people to read and type. */
export function generateId(): string {
  return randomBytes(5).toString("hex");
}

/** SHA-256 of a random secret. The secret is too long to guess, so a slow hash would only make each request slower. */
export function hashSecret(secret: string): string {
  return hashOf("sha256", secret);
}

/**
 * A hash, with its salt and cost, of a secret that a person has chosen or types. It is slow, so that guessing passwords
 * for a stolen copy takes too long.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  const { N, r, p } = COST;
  return `scrypt:${N}:${r}:${p}:${salt.toString("base64")}:${hash.toString("base64")}`;
}

/** True if the password matches the hash. Null (no such person) takes as long, which hides who has an account. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = kept?.split(":") ?? [];
  const cost = kept === null ? COST : { N: Number(N), r: Number(r), p: Number(p) };
  const expected = kept === null ? Buffer.alloc(HASH_BYTES) : Buffer.from(hash, "base64");
  const found = await derive(password, Buffer.from(salt, "base64"), cost);
  return kept !== null && found.length === expected.length && timingSafeEqual(found, expected);
}

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

async function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  // Keyboards differ in how they encode a letter such as é; NFKC makes the encodings equal.
  const text = password.normalize("NFKC");
  return deriveKey(text, salt, HASH_BYTES, { ...cost, maxmem: MAX_MEMORY });
}
