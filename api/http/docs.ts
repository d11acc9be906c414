/** Owns the documentation as it is served: the OpenAPI document and its page, from files of this package alone. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Router from "@koa/router";
import { buildStart, PAGE, STYLE } from "./docs-page.ts";
import type { AppContext, RequestState } from "./request-context.ts";

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

/** `/openapi.json`, `/docs` and what the page loads; none of them asks for a key. `givenKey` is shown on the page. */
export function buildDocsRoutes(openApi: Record<string, unknown>, givenKey: string): Router<RequestState> {
  const document = JSON.stringify(openApi);
  const start = buildStart(givenKey);
  const router = new Router<RequestState>();
  router.get("/openapi.json", (ctx) => {
    // Anyone may read the document, a page of another address too.
    ctx.set("Access-Control-Allow-Origin", "*");
    answer(ctx, "openapi", "application/json", document);
  });
  router.get("/docs", (ctx) => {
    // The page's addresses are relative, so that it works below any prefix; they need it without the slash.
    if (ctx.path.endsWith("/")) return ctx.redirect("../docs");
    ctx.set("Content-Security-Policy", CONTENT_POLICY);
    answer(ctx, "docs", "text/html; charset=utf-8", PAGE);
  });
  router.get("/docs/start.js", (ctx) => {
    answer(ctx, "docs", "text/javascript; charset=utf-8", start);
  });
  router.get("/docs/page.css", (ctx) => {
    answer(ctx, "docs", "text/css; charset=utf-8", STYLE);
  });
  for (const [file, type] of Object.entries(ASSETS)) {
    router.get(`/docs/${file}`, async (ctx) => {
      answer(ctx, "docs", type, await readFile(join(findAssets(), file)));
    });
  }
  return router;
}

function findAssets(): string {
  return dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}

function answer(ctx: AppContext, route: string, type: string, body: string | Buffer): void {
  ctx.state.route = route;
  ctx.set("Cache-Control", "public, max-age=300");
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("Content-Type", type);
  ctx.body = body;
}
