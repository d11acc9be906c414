/**
 * Serves pages and files that do not change while the process runs. Each is made, tagged and compressed once, and is
 * the same for everybody.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Router from "@koa/router";
import { FOR_EVER, sharedFiles, type PageFile } from "../shared/html/files.ts";
import { tagAnswer } from "./sending.ts";
import type { AppContext, RequestState } from "./request-context.ts";

// Limit: bytes below which compressing costs more than it saves.
const LEAST_BYTES = 1_024;
// Tuned: half a second for the largest page, once; the best quality takes several seconds and saves a few percent.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};
type Coding = keyof typeof compressors;

/** The handler of a page's requests. */
export type FixedPage = (ctx: AppContext) => Promise<void>;

/** Makes a page of this media type. Its content, and each compressed form of it, is made when first requested. */
export function fixedPage(type: string, content: () => string | Buffer): FixedPage {
  let made: { bytes: Buffer; tag: string } | undefined;
  const make = () => {
    const bytes = Buffer.from(content());
    return { bytes, tag: createHash("sha1").update(bytes).digest("hex") };
  };
  const compressed: Partial<Record<Coding, Promise<Buffer>>> = {};
  return async (ctx) => {
    const { bytes, tag } = (made ??= make());
    const coding = bytes.length < LEAST_BYTES ? undefined : codingOf(ctx);
    ctx.vary("Accept-Encoding");
    ctx.set("Cache-Control", "public, max-age=300");
    ctx.set("Content-Type", type);
    ctx.body = coding ? await (compressed[coding] ??= compressors[coding](bytes)) : bytes;
    if (coding) ctx.set("Content-Encoding", coding);
    // Prevents the compression middleware from compressing it again.
    else ctx.compress = false;
    // Each coding has different bytes, and so a tag of its own.
    tagAnswer(ctx, coding ? `${tag}-${coding}` : tag);
  };
}

function codingOf(ctx: AppContext): Coding | undefined {
  const accepted = ctx.acceptsEncodings("br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : undefined;
}

/** Serves a file below `folder`; returns its path. Caches keep it for ever, since its name changes with its content. */
export function addPageFile(router: Router<RequestState>, folder: string, file: PageFile): string {
  const path = `${folder}/${file.name}`;
  const page = fixedPage(file.type, () => file.text);
  router.get(path, async (ctx) => {
    ctx.state.route = "page-assets";
    await page(ctx);
    ctx.set("Cache-Control", FOR_EVER);
  });
  return path;
}

/** Serves the files that all pages share, below `folder`. */
export function addSharedFiles(router: Router<RequestState>, folder: string): void {
  for (const file of Object.values(sharedFiles())) addPageFile(router, folder, file);
}
