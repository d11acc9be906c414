/** Owns pages that stay the same while the process runs: built, compressed and tagged once, not for each request. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { tagAnswer } from "../cache-headers.ts";
import type { AppContext } from "../request-context.ts";

// Limit: bytes below which compressing costs more than it saves.
const LEAST_BYTES = 1_024;
// Tuned: half a second for the largest page, once; the best quality takes several seconds and saves a few percent.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};
type Coding = keyof typeof compressors;

/** A page: the handler of its requests. */
export type BuiltPage = (ctx: AppContext) => Promise<void>;

/** Makes a page of this media type. `build` runs at the first request, and again only after it has failed. */
export function buildPageOnce(type: string, build: () => Promise<string | Buffer>): BuiltPage {
  const fetchBytes = once(async () => Buffer.from(await build()));
  const fetchTag = once(async () =>
    createHash("sha1")
      .update(await fetchBytes())
      .digest("hex"),
  );
  const compressed = {
    br: once(async () => compressors.br(await fetchBytes())),
    gzip: once(async () => compressors.gzip(await fetchBytes())),
  };
  return async (ctx) => {
    const bytes = await fetchBytes();
    const coding = bytes.length < LEAST_BYTES ? undefined : codingOf(ctx);
    ctx.vary("Accept-Encoding");
    ctx.set("Cache-Control", "public, max-age=300");
    ctx.set("Content-Type", type);
    // Each coding has different bytes, and so a tag of its own.
    const tag = await fetchTag();
    ctx.body = coding ? await compressed[coding]() : bytes;
    if (coding) ctx.set("Content-Encoding", coding);
    // Prevents the compression middleware from compressing it again.
    else ctx.compress = false;
    tagAnswer(ctx, coding ? `${tag}-${coding}` : tag);
  };
}

function codingOf(ctx: AppContext): Coding | undefined {
  const accepted = ctx.acceptsEncodings("br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : undefined;
}

/** Runs something once, however many callers there are at the same time. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
