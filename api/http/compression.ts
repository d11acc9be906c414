/** Owns the compression of answers. */
import { Readable } from "node:stream";
import { constants } from "node:zlib";
import type { Middleware } from "koa";
import compress from "koa-compress";
import type { RequestState } from "./request-context.ts";

// Limit: bytes below which an answer is sent as it is: a profile fits into two packets, and compressing it takes longer.
const LEAST_BYTES = 4_096;

/**
 * Compresses by gzip or brotli; what is compressed already is left alone.
 * Compat: the tag stays that of the answer, not of its bytes: clients of the original take it in its strong form alone, and
 * here it is only ever compared in the weak way.
 */
export function compressAnswers(): Middleware<RequestState> {
  // The cast: the package's types know no state of a request.
  const compressed = compress({
    threshold: LEAST_BYTES,
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
