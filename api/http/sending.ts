/** How answers are sent: JSON, cache headers, compression, and the limit on answers that callers have not read yet. */
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { constants } from "node:zlib";
import fresh from "fresh";
import type { Middleware } from "koa";
import compress from "koa-compress";
import { BusyError } from "../shared/runtime/errors.ts";
import type { AppContext, RequestState } from "./request-context.ts";

/** Sends a body as JSON; returns its text. */
export function sendJson(ctx: AppContext, body: object, mediaType = "application/json"): string {
  // Set before the body: Koa would add a charset, which JSON does not have.
  ctx.set("Content-Type", mediaType);
  // As text: Koa would serialise an object twice, once to know its length.
  const text = JSON.stringify(body);
  ctx.body = text;
  return text;
}

// For answers with an ETag. The original sends `no-store, no-cache, …`, but with no-store a client may not cache the
// answer that its If-None-Match names. `no-cache` makes caches revalidate every copy. `private` keeps the answer to one
// key out of shared caches.
const REVALIDATE = "private, no-cache";

/**
 * Sets the cache headers of an answer, and makes it a 304 when the client already has it (If-None-Match: weak
 * comparison, lists, `*`). Call it when the body is final. `etag`: without quotes; caches do not store an answer
 * without one.
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
 * Koa's own `ctx.fresh` also obeys the request's `Cache-Control: no-cache`. That is meant for caches on the way, and
 * Node's `fetch` adds it to every request with If-None-Match.
 */
function isUnchanged({ headers, response }: AppContext): boolean {
  return fresh({ "if-none-match": headers["if-none-match"] }, { etag: response.etag });
}

/**
 * The ETag of an answer: the hash of its content. The `etag` of a record would not do: answers show more than the
 * record (links, the day, other items), and a source may correct a row under the same `etag`.
 */
export function etagOfAnswer(text: string): string {
  return hash("sha1", text);
}

// Limit: bytes below which nothing is compressed. A profile fits into two packets, and compressing it takes longer.
const LEAST_COMPRESSED_BYTES = 4_096;

/**
 * Compresses with gzip or brotli, unless the body is compressed already.
 * Compat: compressed or not, an answer has the same strong ETag. Clients of the original accept only the strong form,
 * and here ETags are only compared weakly.
 */
export function compressAnswers(): Middleware<RequestState> {
  // The cast: the package's types know no state of a request.
  const compressed = compress({
    threshold: LEAST_COMPRESSED_BYTES,
    zstd: false,
    deflate: false,
    // Sends each part of a stream at once. Brotli would hold back megabytes, and the connection would count as stalled.
    br: { flush: constants.BROTLI_OPERATION_FLUSH },
    gzip: { flush: constants.Z_SYNC_FLUSH },
  }) as Middleware<RequestState>;
  return async (ctx, next) => {
    // The package would fail if the client accepts none of the codings.
    if (!ctx.acceptsEncodings("br", "gzip", "identity")) ctx.compress = false;
    let plain: unknown;
    await compressed(ctx, async () => {
      await next();
      plain = ctx.body;
      // The answer to GET may be compressed, so its length is unknown, and HEAD must state none (RFC 9110, 8.6).
      const mayShrink = ctx.length >= LEAST_COMPRESSED_BYTES && ctx.acceptsEncodings("br", "gzip");
      if (ctx.method === "HEAD" && mayShrink) ctx.body = Readable.from([]);
    });
    // The package uses `pipe`, which does not pass errors on: the answer would never end.
    const body: unknown = ctx.body;
    if (plain instanceof Readable && body instanceof Readable && body !== plain)
      plain.once("error", (error) => body.destroy(error));
  };
}

// Limit: bytes of answers that callers have not read yet, about thirty of the largest. Further ones are refused, since
// callers that do not read would fill the memory. Downloads have a limit of their own, and are made as they are read.
const MOST_UNREAD_BYTES = 150_000_000;

/**
 * Refuses an answer with 503 while too many bytes of earlier ones are unread. The caller must be known by then. It may
 * leave as much unread as is still free: half of all when alone, a third beside another that does the same. So there is
 * always room for callers that read.
 */
export function limitUnreadAnswers(mostBytes = MOST_UNREAD_BYTES): Middleware<RequestState> {
  const unread = new Map<string, number>();
  let sum = 0;
  return async (ctx, next) => {
    await next();
    const { length = 0, state, res } = ctx;
    const caller = state.principal?.countedAs ?? "";
    const bytes = (unread.get(caller) ?? 0) + length;
    if (bytes > mostBytes - sum) throw new BusyError("earlier answers have not been read yet", 1);
    // A connection that has closed already emits no "close".
    if (length === 0 || res.destroyed) return;
    // Node holds five bytes of memory for each byte of an unread text, and one for each byte of a buffer.
    if (typeof ctx.body === "string" && length > LEAST_COMPRESSED_BYTES) ctx.body = Buffer.from(ctx.body);
    unread.set(caller, bytes);
    sum += length;
    res.once("close", () => {
      sum -= length;
      const left = (unread.get(caller) ?? 0) - length;
      if (left > 0) unread.set(caller, left);
      else unread.delete(caller);
    });
  };
}
