/** Owns how answers are sent: as JSON, their cache headers, their compression, and how much of them callers may leave untaken. */
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
  // As text: of an object Koa makes the text twice, for its length as well.
  const text = JSON.stringify(body);
  ctx.body = text;
  return text;
}

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

// Limit: bytes below which an answer is sent as it is: a profile fits into two packets, and compressing it takes longer.
const LEAST_COMPRESSED_BYTES = 4_096;

/**
 * Compresses by gzip or brotli; what is compressed already is left alone.
 * Compat: the tag stays that of the answer, not of its bytes: clients of the original take it in its strong form alone, and
 * here it is only ever compared in the weak way.
 */
export function compressAnswers(): Middleware<RequestState> {
  // The cast: the package's types know no state of a request.
  const compressed = compress({
    threshold: LEAST_COMPRESSED_BYTES,
    zstd: false,
    deflate: false,
    br: flushStreams(constants.BROTLI_OPERATION_FLUSH),
    gzip: flushStreams(constants.Z_SYNC_FLUSH),
  }) as Middleware<RequestState>;
  return async (ctx, next) => {
    // The package would name no coding at all, and fail.
    if (!ctx.acceptsEncodings("br", "gzip", "identity")) ctx.compress = false;
    let plain: unknown;
    await compressed(ctx, async () => {
      await next();
      plain = ctx.body;
      // The answer to GET may be compressed, so its length is not known: HEAD has none then (RFC 9110, 8.6).
      const mayShrink = ctx.length >= LEAST_COMPRESSED_BYTES && ctx.acceptsEncodings("br", "gzip");
      if (ctx.method === "HEAD" && mayShrink) ctx.body = Readable.from([]);
    });
    // The package pipes, which passes no errors on: the answer would never end.
    const body: unknown = ctx.body;
    if (plain instanceof Readable && body instanceof Readable && body !== plain)
      plain.once("error", (error) => body.destroy(error));
  };
}

/** Sends each part of a stream at once: Brotli alone would keep back megabytes, and the connection be cut as a stalled one. */
function flushStreams(flush: number) {
  return (_type: string, size: number | undefined) => (size === undefined ? { flush } : {});
}

// Limit: bytes of whole answers on their way, some thirty of the largest; further ones are refused, because callers that ask and
// do not read would fill the memory. Downloads are read as they are sent, and have a limit of their own.
const MOST_UNTAKEN_BYTES = 150_000_000;

/**
 * Refuses an answer, behind what identifies callers, with 503 while those before have not been taken. A caller may leave as much as
 * there is left for others: half of it alone, a third beside one who does the same, so there is always room for those who read.
 */
export function boundUntaken(mostBytes = MOST_UNTAKEN_BYTES): Middleware<RequestState> {
  const untaken = new Map<string, number>();
  let sum = 0;
  return async (ctx, next) => {
    await next();
    const { length = 0, state, res } = ctx;
    const caller = state.principal?.countedAs ?? "";
    const bytes = (untaken.get(caller) ?? 0) + length;
    if (bytes > mostBytes - sum) throw new BusyError("earlier answers have not been read yet", 1);
    // A connection that is gone closes no more.
    if (length === 0 || res.destroyed) return;
    // Of text that is not taken Node holds five bytes for each, of bytes one.
    if (typeof ctx.body === "string" && length > LEAST_COMPRESSED_BYTES) ctx.body = Buffer.from(ctx.body);
    untaken.set(caller, bytes);
    sum += length;
    res.once("close", () => {
      sum -= length;
      const left = (untaken.get(caller) ?? 0) - length;
      if (left > 0) untaken.set(caller, left);
      else untaken.delete(caller);
    });
  };
}
