/**
 * Owns the documentation as it is served, from files of this package alone: the OpenAPI document, and a page that says how to
 * get a first answer, with Swagger UI below it.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Router from "@koa/router";
import { contentPolicy } from "../shared/html/files.ts";
import { fixedPage, type FixedPage } from "./page-files.ts";
import type { RequestState } from "./request-context.ts";

const CONTENT_POLICY = contentPolicy(
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
);

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Files of the swagger-ui-dist package that the page loads, with their types. */
const ASSETS = { "swagger-ui.css": CSS, "swagger-ui-bundle.js": SCRIPT, "favicon-32x32.png": "image/png" };

/**
 * `/openapi.json`, `/docs` and the files of the page; none of them needs a key. `buildDocument` is asked at the first request
 * for the document; `givenKey` is shown on the page.
 */
export function buildDocsRoutes(
  buildDocument: () => Record<string, unknown>,
  givenKey: string,
): Router<RequestState> {
  const router = new Router<RequestState>();
  const add = (path: string, route: string, page: FixedPage) =>
    router.get(path, (ctx) => {
      ctx.state.route = route;
      return page(ctx);
    });
  const document = fixedPage("application/json", () => JSON.stringify(buildDocument()));
  add("/openapi.json", "openapi", (ctx) => {
    // Anyone may read the document, a page of another address too.
    ctx.set("Access-Control-Allow-Origin", "*");
    return document(ctx);
  });
  const page = fixedPage("text/html; charset=utf-8", () => PAGE);
  add("/docs", "docs", async (ctx) => {
    // The page's addresses are relative, so that it works below any prefix; they need it without the slash.
    if (ctx.path.endsWith("/")) return ctx.redirect("../docs");
    ctx.set("Content-Security-Policy", CONTENT_POLICY);
    await page(ctx);
  });
  add(
    "/docs/start.js",
    "docs",
    fixedPage(SCRIPT, () => buildStart(givenKey)),
  );
  add(
    "/docs/page.css",
    "docs",
    fixedPage(CSS, () => STYLE),
  );
  for (const [file, type] of Object.entries(ASSETS))
    add(
      `/docs/${file}`,
      "docs",
      fixedPage(type, () => readAsset(file)),
    );
  return router;
}

function readAsset(file: string): Buffer {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return readFileSync(join(folder, file));
}

/** The page. Its addresses are relative, so that it works below any prefix. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Company Register</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <section id="start">
      <h1>Company Register: make your first call</h1>
      <ol>
        <li>All addresses begin with <code class="base">the address of this server</code>.</li>
        <li>
          Send a key with every request, as the user name of HTTP Basic; the password is empty.
          <label>Your key: <input id="key" autocomplete="off" spellcheck="false" placeholder="no key yet"></label>
          <p id="given" hidden>This register is open to everyone: its key is <code class="given"></code>.</p>
          <p id="operator">The operator of this register creates keys: <code>npm run cli -- keys create --name NAME</code></p>
        </li>
        <li>
          Call it from a terminal:
          <pre>curl -u <span class="key">KEY</span>: "<span class="base"></span>/search/companies?q=holdings"</pre>
          or here: open an operation below and press Execute. The page remembers the key until you close it.
        </li>
      </ol>
    </section>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Its style, in the measures of Swagger UI. */
const STYLE = `#start {
  max-width: 1460px;
  margin: 0 auto;
  padding: 20px 20px 0;
  box-sizing: border-box;
  color: #3b4151;
  font: 16px/1.5 sans-serif;
}
#start h1 { font-size: 24px; margin: 10px 0; }
#start li { margin-bottom: 10px; }
#start p { margin: 5px 0; }
#start label { display: block; margin: 5px 0; }
#start input { font: 16px monospace; padding: 4px 8px; width: 24em; max-width: 60%; }
#start code, #start pre { background: #f0f0f0; border-radius: 4px; padding: 2px 6px; }
#start pre { padding: 10px; margin: 5px 0; overflow-x: auto; }
body { margin: 0; background: #fafafa; }
`;

const START = `const STORED_AS = "company-register-key";
const base = new URL(".", location.href).href.replace(/\\/$/, "");
const field = document.getElementById("key");

function fill(name, text) {
  for (const element of document.querySelectorAll("#start ." + name)) element.textContent = text;
}

let remembered;
function remember(key) {
  if (key === remembered) return;
  remembered = key;
  sessionStorage.setItem(STORED_AS, key);
  field.value = key;
  fill("key", key || "KEY");
}

function currentKey() {
  return ui.authSelectors.authorized().getIn(["basic", "value", "username"], "");
}

function useKey(key) {
  if (key) ui.preauthorizeBasic("basic", key, "");
  else ui.authActions.logout(["basic"]);
  remember(key);
}

fill("base", base);
fill("given", GIVEN_KEY);
document.getElementById("given").hidden = !GIVEN_KEY;
document.getElementById("operator").hidden = Boolean(GIVEN_KEY);

// The validator is a service of Swagger's makers: without an address the page does not call it.
const ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  presets: [SwaggerUIBundle.presets.apis],
  onComplete: () => {
    useKey(sessionStorage.getItem(STORED_AS) ?? GIVEN_KEY);
    // Whichever way a key is entered or left after that, the page has the same one everywhere.
    ui.getStore().subscribe(() => remember(currentKey()));
    field.addEventListener("change", () => useKey(field.value.trim()));
  },
});
`;

/**
 * The script that starts the page. `givenKey` is filled in and shown to every visitor; empty: none. A key is stored in the
 * session of the tab: it survives reloads, and ends with the tab.
 */
function buildStart(givenKey: string): string {
  return `const GIVEN_KEY = ${JSON.stringify(givenKey)};\n${START}`;
}
