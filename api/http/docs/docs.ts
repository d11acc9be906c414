/** Owns the documentation as it is served: the OpenAPI document and its page, from files of this package alone. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Router from "@koa/router";
import { buildPageOnce, type BuiltPage } from "./built-page.ts";
import { buildStart, PAGE, STYLE } from "./docs-page.ts";
import type { RequestState } from "../request-context.ts";

// What the page may load: nothing from another address. Swagger UI draws its icons as data: images.
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Files of the swagger-ui-dist package that the page loads, with their types. */
const ASSETS: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

/** `/openapi.json`, `/docs` and the files of the page; none of them needs a key. `givenKey` is shown on the page. */
export function buildDocsRoutes(openApi: Record<string, unknown>, givenKey: string): Router<RequestState> {
  const router = new Router<RequestState>();
  const add = (path: string, route: string, page: BuiltPage) =>
    router.get(path, (ctx) => {
      ctx.state.route = route;
      return page(ctx);
    });
  const document = buildPageOnce("application/json", () => Promise.resolve(JSON.stringify(openApi)));
  add("/openapi.json", "openapi", (ctx) => {
    // Anyone may read the document, a page of another address too.
    ctx.set("Access-Control-Allow-Origin", "*");
    return document(ctx);
  });
  const page = buildPageOnce("text/html; charset=utf-8", () => Promise.resolve(PAGE));
  add("/docs", "docs", async (ctx) => {
    // The page's addresses are relative, so that it works below any prefix; they need it without the slash.
    if (ctx.path.endsWith("/")) return ctx.redirect("../docs");
    ctx.set("Content-Security-Policy", CONTENT_POLICY);
    await page(ctx);
  });
  const script = "text/javascript; charset=utf-8";
  add(
    "/docs/start.js",
    "docs",
    buildPageOnce(script, () => Promise.resolve(buildStart(givenKey))),
  );
  add(
    "/docs/page.css",
    "docs",
    buildPageOnce("text/css; charset=utf-8", () => Promise.resolve(STYLE)),
  );
  for (const [file, type] of Object.entries(ASSETS)) {
    add(
      `/docs/${file}`,
      "docs",
      buildPageOnce(type, () => readFile(join(findAssets(), file))),
    );
  }
  return router;
}

function findAssets(): string {
  return dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}
