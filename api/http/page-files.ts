/** Owns how files that pages load are served: to everybody, and for ever, since their names change with their content. */
import Router from "@koa/router";
import { FOR_EVER, sharedFiles, type PageFile } from "../shared/html/files.ts";
import { buildPageOnce } from "./docs/built-page.ts";
import type { RequestState } from "./request-context.ts";

/** Serves a file in a folder; returns its path. */
export function addPageFile(router: Router<RequestState>, folder: string, file: PageFile): string {
  const path = `${folder}/${file.name}`;
  const page = buildPageOnce(file.type, () => Promise.resolve(file.text));
  router.get(path, async (ctx) => {
    ctx.state.route = "page-assets";
    await page(ctx);
    ctx.set("Cache-Control", FOR_EVER);
  });
  return path;
}

/** Serves the files of all pages in a folder. */
export function addSharedFiles(router: Router<RequestState>, folder: string): void {
  for (const file of Object.values(sharedFiles())) addPageFile(router, folder, file);
}
