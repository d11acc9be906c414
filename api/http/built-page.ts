/** Owns pages that stay the same while the process runs: built, compressed and tagged once, not for each who asks. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { answerHeld } from "./cache-headers.ts";
import type { AppContext } from "./request-context.ts";

// Limit: bytes below which compressing costs more than it saves.
const LEAST_BYTES = 1_024;
// Tuned: half a second for the largest of them, once; the best quality takes several, for some percent less.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};
type Coding = keyof typeof compressors;

/** A page: what answers a request for it. */
export type BuiltPage = (ctx: AppContext) => Promise<void>;

/** Makes a page of this media type; `build` is called once, when it is first asked for, and again only after it has failed. */
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
    // Each coding is another file, and has a tag of its own.
    const tag = await fetchTag();
    ctx.body = coding ? await compressed[coding]() : bytes;
    if (coding) ctx.set("Content-Encoding", coding);
    // Nothing further out compresses it again.
    else ctx.compress = false;
    answerHeld(ctx, coding ? `${tag}-${coding}` : tag);
  };
}

function codingOf(ctx: AppContext): Coding | undefined {
  const accepted = ctx.acceptsEncodings("br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : undefined;
}

/** Does something once, however many ask at the same time. */
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
