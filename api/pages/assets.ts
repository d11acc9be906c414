/** Owns the files that pages load: one style sheet, one script and the mark; their names change with their content. */
import { readFileSync } from "node:fs";
import Router from "@koa/router";
import { sharedFiles, toPageFile, toStyle } from "../shared/html/files.ts";
import { addPageFile } from "../http/page-files.ts";
import type { RequestState } from "../http/request-context.ts";
import { FOLDER } from "./addresses.ts";
import type { Assets } from "./layout.tsx";

// The order matters: rules for screens come last.
const STYLES = ["search", "results", "records", "pictures", "screens"];

/** Reads the files, and makes the routes that serve them. */
export function buildAssets(): { assets: Assets; router: Router<RequestState> } {
  const router = new Router<RequestState>();
  const { style, mark } = sharedFiles();
  const files = {
    style: toStyle([style.text, ...STYLES.map((name) => readOwn(`${name}.css`))]),
    mark,
    script: toPageFile("script", "js", "text/javascript; charset=utf-8", readOwn("pages.js")),
  };
  const add = (file: typeof mark) => addPageFile(router, `${FOLDER}/assets`, file);
  return {
    assets: { style: add(files.style), mark: add(files.mark), script: add(files.script) },
    router,
  };
}

function readOwn(file: string): string {
  return readFileSync(new URL(`assets/${file}`, import.meta.url), "utf8");
}
