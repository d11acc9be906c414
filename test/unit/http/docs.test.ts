import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { runInNewContext } from "node:vm";
import { buildApp, type AppDependencies } from "../../../api/app.ts";
import { securitySchemes } from "../../../api/docs/security.ts";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { listen } from "../../support/serve.ts";

const nothing = () => undefined;

const closers: (() => Promise<void>)[] = [];
let base = "";
let demoBase = "";
beforeAll(async () => {
  base = await start({});
  demoBase = await start({ DOCS_KEY: 'demo"key</script>' });
});
afterAll(() => Promise.all(closers.map((close) => close())));

async function start(settings: Record<string, string>): Promise<string> {
  // These pages need neither a key nor an engine, so no store is called.
  const stores = { mongo: {}, elasticsearch: {}, redis: { counters: { add: () => Promise.resolve(1) } } };
  const app = buildApp({
    config: readConfig({ VENDOR: "acme", SEARCH_WINDOW: "50", ...settings }),
    stores: stores as unknown as AppDependencies["stores"],
    log: createLogger("silent", "api"),
    clock: () => new Date(),
  });
  const { base: address, close } = await listen(app);
  closers.push(close);
  return address;
}

/** Runs the page's script as a browser would, with a Swagger UI that does nothing. */
async function openPage(address: string, stored: Record<string, string> = {}) {
  const script = await (await fetch(`${address}/docs/start.js`)).text();
  const elements: Record<string, { value?: string; hidden?: boolean; textContent?: string }> = {};
  const element = (id: string) => (elements[id] ??= {});
  const used: string[] = [];
  let whenLoaded: () => void = nothing;
  const swagger = ({ onComplete }: { onComplete: () => void }) => {
    whenLoaded = onComplete;
    return {
      getStore: () => ({ subscribe: nothing }),
      preauthorizeBasic: (name: "basic" | "api_key", key: string) => {
        expect(securitySchemes("")[name]).toHaveProperty("scheme", "basic");
        used.push(key);
      },
      authActions: { logout: () => used.push("") },
    };
  };
  const page = {
    URL,
    location: { href: `${address}/docs#/search` },
    document: {
      getElementById: (id: string) => Object.assign(element(id), { addEventListener: nothing }),
      querySelectorAll: (selector: string) => [element(selector)],
    },
    sessionStorage: {
      getItem: (name: string) => stored[name] ?? null,
      setItem: (name: string, value: string) => (stored[name] = value),
    },
    SwaggerUIBundle: Object.assign(swagger, { presets: {} }),
  };
  runInNewContext(script, page);
  whenLoaded();
  return { elements, used, stored };
}

describe("the documentation page", () => {
  it("shows the server's own address and, if the settings have a key for visitors, that key", async () => {
    const { elements, used, stored } = await openPage(demoBase);
    expect(elements["#start .base"]?.textContent).toBe(demoBase);
    expect(elements["#start .key"]?.textContent).toBe('demo"key</script>');
    expect([elements.key?.value, elements.given?.hidden, used]).toEqual([
      'demo"key</script>',
      false,
      ['demo"key</script>'],
    ]);
    expect(Object.values(stored)).toEqual(['demo"key</script>']);
  });

  it("shows no key if the settings have none for visitors", async () => {
    const { elements, used } = await openPage(base);
    expect([elements.key?.value, elements.given?.hidden, used]).toEqual(["", true, [""]]);
    expect(elements["#start .key"]?.textContent).toBe("KEY");
  });

  it("keeps the key over a reload, but only as long as its tab is open", async () => {
    const { stored } = await openPage(demoBase);
    const name = Object.keys(stored)[0] ?? "";
    expect((await openPage(demoBase, { [name]: "my-key" })).used).toEqual(["my-key"]);
    expect(await (await fetch(`${base}/docs/start.js`)).text()).not.toContain("localStorage");
  });
});

it("serves the OpenAPI document without a key, with the vendor word of the settings", async () => {
  const response = await fetch(`${base}/openapi.json`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.0" });
  expect(text).toContain("application/vnd.acme.company-profile+json; version=1");
});

it("states the address of OAuth below the public address of the settings", async () => {
  const address = await start({ PUBLIC_URL: "https://register.example/uk" });
  const text = await (await fetch(`${address}/openapi.json`)).text();
  expect(text).toContain('"tokenUrl":"https://register.example/uk/oauth2/token"');
  expect(await (await fetch(`${base}/openapi.json`)).text()).toContain('"tokenUrl":"/oauth2/token"');
});

it.each(["/search", "/search/companies", "/search/officers", "/search/disqualified-officers"])(
  "states the search window of the settings in the maximum of start_index: %s",
  async (path) => {
    const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as {
      paths: Record<string, { get: { parameters: unknown[] } }>;
    };
    expect(paths[path]?.get.parameters).toContainEqual(
      expect.objectContaining({ name: "start_index", schema: expect.objectContaining({ maximum: 49 }) }),
    );
  },
);

it("serves a page that loads nothing from other servers", async () => {
  const response = await fetch(`${base}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toMatch(
    /^default-src 'none';.* script-src 'self';/,
  );
  expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
});

it("serves everything that the page loads", async () => {
  const page = await (await fetch(`${base}/docs`)).text();
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(assets.length).toBe(5);
  for (const path of assets) {
    const response = await fetch(new URL(path, `${base}/docs`));
    expect([path, response.status]).toEqual([path, 200]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});

it("redirects to the page from its address with a slash at the end", async () => {
  const response = await fetch(`${base}/docs/`);
  expect([response.status, response.url]).toEqual([200, `${base}/docs`]);
});

it("serves no other file of its own package or of Swagger UI", async () => {
  for (const path of ["/docs/package.json", "/docs/..%2fpackage.json", "/docs/swagger-ui.js"]) {
    expect((await fetch(base + path)).status).toBe(401);
  }
});
