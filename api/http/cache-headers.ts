/** Owns the cache headers of answers: validators, conditional requests, and how long a copy is valid. */
import { hash } from "node:crypto";
import fresh from "fresh";
import type { AppContext } from "./request-context.ts";

// Differs from the original's `no-store, no-cache, …` where an answer has an ETag: with no-store a client may not cache the
// answer that its If-None-Match names. `no-cache` makes caches revalidate every copy, `private` keeps the answer to one
// key out of shared caches.
const REVALIDATE = "private, no-cache";

/**
 * Sets the cache headers of an answer, and makes it a 304 when the client already has it (If-None-Match: weak comparison,
 * lists, `*`). Call it when the body is final. `etag` is the opaque text, without quotes; an answer without one is not stored.
 */
export function answerConditionally(ctx: AppContext, etag: string | undefined): void {
  ctx.set("Cache-Control", etag ? REVALIDATE : "no-store");
  ctx.set("Pragma", "no-cache");
  if (etag) tagAnswer(ctx, etag);
}

/** Tags an answer, and makes it a 304 when the client already has it. */
export function tagAnswer(ctx: AppContext, etag: string): void {
  ctx.set("ETag", `"${etag}"`);
  if (isUnchanged(ctx)) ctx.status = 304;
}

/**
 * Koa's own `ctx.fresh` also heeds `Cache-Control: no-cache` of the request, which speaks to caches on the way
 * and which every `fetch` of Node adds to a request with If-None-Match.
 */
function isUnchanged({ headers, response }: AppContext): boolean {
  return fresh({ "if-none-match": headers["if-none-match"] }, { etag: response.etag });
}

/**
 * The ETag of an answer: the hash of its content. The `etag` of a record is no validator: answers show more than the
 * record (links, the day, other items), and a source may correct a row under the same `etag`.
 */
export function etagOfAnswer(text: string): string {
  return hash("sha1", text);
}
