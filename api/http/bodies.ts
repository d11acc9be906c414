/** Owns how the bodies of requests are read. */
import type { Middleware } from "koa";
import bodyParser from "koa-bodyparser";
import { ApiError, serviceError } from "../shared/runtime/errors.ts";
import type { RequestState } from "./request-context.ts";

/** Reads bodies of these types, of bounded sizes. A body that cannot be read or decompressed is answered with 400. */
export function readBodies(
  bounds: Pick<bodyParser.Options, "enableTypes" | "jsonLimit" | "formLimit">,
): Middleware<RequestState> {
  const parse: Middleware<RequestState> = bodyParser({ ...bounds, onerror: refuse });
  // The body of another method means nothing (RFC 9110, 9.3.1), so nothing can be wrong with it.
  return async (ctx, next) => {
    if (ctx.method === "POST") await parse(ctx, next);
    else await next();
  };
}

/** The parser has given its own refusals a status; what the decompression throws has none. */
function refuse(error: Error): never {
  throw "status" in error ? error : new ApiError(400, [serviceError("bad-request")]);
}
