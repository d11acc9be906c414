/** Owns the files that pages load: one style sheet, one script and the logo; their names change with their content. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Router from "@koa/router";
import { buildPageOnce } from "../http/built-page.ts";
import type { RequestState } from "../http/request-context.ts";
import { FOLDER } from "./addresses.ts";
import type { Assets } from "./layout.tsx";

// The published style sheet, and below it our additions for a register.
const BASE_STYLE = "@picocss/pico/css/pico.classless.min.css";

// The order matters: rules for screens come last.
const STYLES = ["theme", "frame", "search", "results", "records", "pictures", "screens"];

// A year, the maximum of caches: changed content has another name.
const FOR_EVER = "public, max-age=31536000, immutable";

/** Reads the files, and makes the routes that serve them. */
export function buildAssets(): { assets: Assets; router: Router<RequestState> } {
  const base = readFileSync(createRequire(import.meta.url).resolve(BASE_STYLE), "utf8");
  const router = new Router<RequestState>();
  const add = (name: string, ending: string, type: string, text: string) => {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const path = `${FOLDER}/assets/${name}-${hash}.${ending}`;
    const page = buildPageOnce(type, () => Promise.resolve(text));
    router.get(path, async (ctx) => {
      ctx.state.route = "page-assets";
      await page(ctx);
      ctx.set("Cache-Control", FOR_EVER);
    });
    return path;
  };
  const style = [base, ...STYLES.map((name) => readOwn(`${name}.css`))].join("\n");
  return {
    assets: {
      style: add("style", "css", "text/css; charset=utf-8", style),
      mark: add("mark", "svg", "image/svg+xml", readOwn("mark.svg")),
      script: add("script", "js", "text/javascript; charset=utf-8", readOwn("pages.js")),
    },
    router,
  };
}

function readOwn(file: string): string {
  return readFileSync(new URL(`assets/${file}`, import.meta.url), "utf8");
}
