/** Owns authentication by API key: HTTP Basic, the key as user name, any password. */
import type { Middleware } from "koa";
import { fetchKey, type ApiKey } from "../../core/api-keys.ts";
import { AuthenticationError } from "../../core/errors.ts";
import type { DocumentStore } from "../../core/stores/mongo.ts";
import type { RequestState } from "../request-context.ts";

// A key looked up once is trusted this long: a revoked one stops working within the same time.
const CACHE_MS = 10_000;
// Limit: known keys held in memory; past it the oldest goes first. Unknown keys are never held.
const CACHE_SIZE = 10_000;

/** Lets only known keys through. `now` in milliseconds. */
export function authenticateByKey(documents: DocumentStore, now: () => number): Middleware<RequestState> {
  const cache = new Map<string, { key: ApiKey; until: number }>();
  return async (ctx, next) => {
    const text = parseBasicUser(ctx.get("Authorization"));
    const cached = cache.get(text);
    if (!cached || cached.until < now()) {
      const key = await fetchKey(documents, text);
      cache.delete(text);
      if (!key) throw new AuthenticationError("Invalid Authorization");
      if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? "");
      cache.set(text, { key, until: now() + CACHE_MS });
    }
    ctx.state.caller = cache.get(text)?.key.name ?? "";
    await next();
  };
}

/** The user name of a Basic header. Throws AuthenticationError when there is no header or no user name in it. */
export function parseBasicUser(header: string): string {
  if (header === "") throw new AuthenticationError("Empty Authorization header");
  const encoded = /^Basic ([A-Za-z0-9+/=_-]+)$/i.exec(header.trim())?.[1];
  const user = encoded ? Buffer.from(encoded, "base64").toString("utf8").split(":", 1)[0] : "";
  if (!user) throw new AuthenticationError("Invalid Authorization");
  return user;
}
