/**
 * Serves the documentation, only from files of this package: the OpenAPI document, and a page that explains how to make
 * a first call, with Swagger UI below it.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Router from "@koa/router";
import { contentPolicy } from "../../shared/html/files.ts";
import { fixedPage, type FixedPage } from "../page-files.ts";
import type { RequestState } from "../request-context.ts";

const CONTENT_POLICY = contentPolicy(
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
);

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Files of the swagger-ui-dist package that the page loads, with their types. */
const SWAGGER = { "swagger-ui.css": CSS, "swagger-ui-bundle.js": SCRIPT, "favicon-32x32.png": "image/png" };

/**
 * `/openapi.json`, `/docs` and the files of the page; none of them needs a key. `buildDocument` is called at the first
 * request for the document. `givenKey` is shown on the page; it is empty when visitors are given no key.
 */
export function buildDocsRoutes(
  buildDocument: () => Record<string, unknown>,
  givenKey: string,
): Router<RequestState> {
  const router = new Router<RequestState>();
  const page = fixedPage("text/html; charset=utf-8", () => readAsset("docs.html"));
  const document = fixedPage("application/json", () => JSON.stringify(buildDocument()));
  const handlers: Record<string, FixedPage> = {
    "/openapi.json": (ctx) => {
      // Anyone may read the document, also web pages of other origins.
      ctx.set("Access-Control-Allow-Origin", "*");
      return document(ctx);
    },
    "/docs": async (ctx) => {
      // The page's links are relative, so that it works below any prefix. They work only without a slash at the end.
      if (ctx.path.endsWith("/")) return ctx.redirect("../docs");
      ctx.set("Content-Security-Policy", CONTENT_POLICY);
      await page(ctx);
    },
    "/docs/start.js": fixedPage(SCRIPT, () => buildStart(givenKey)),
    "/docs/page.css": fixedPage(CSS, () => readAsset("page.css")),
  };
  for (const [file, type] of Object.entries(SWAGGER))
    handlers[`/docs/${file}`] = fixedPage(type, () => readSwagger(file));
  for (const [path, answer] of Object.entries(handlers))
    router.get(path, (ctx) => {
      ctx.state.route = path === "/openapi.json" ? "openapi" : "docs";
      return answer(ctx);
    });
  return router;
}

function readAsset(file: string): string {
  return readFileSync(new URL(`assets/${file}`, import.meta.url), "utf8");
}

function readSwagger(file: string): Buffer {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return readFileSync(join(folder, file));
}

function buildStart(givenKey: string): string {
  return `const GIVEN_KEY = ${JSON.stringify(givenKey)};\n${readAsset("start.js")}`;
}
