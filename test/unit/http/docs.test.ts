import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buildApp, type AppDependencies } from "../../../api/app.ts";
import { createLogger } from "../../../api/core/logger.ts";

let server: Server;
let base = "";
beforeAll(async () => {
  // No store is asked: what is served here needs neither a key nor an engine.
  const stores = { mongo: {}, elasticsearch: {} } as unknown as AppDependencies["stores"];
  const app = buildApp({
    stores,
    log: createLogger("silent", "api"),
    clock: () => new Date(),
    vendor: "acme",
    searchWindow: 50,
  });
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

it("serves the OpenAPI document without a key, with the vendor word of the settings", async () => {
  const response = await fetch(`${base}/openapi.json`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.0" });
  expect(text).toContain("application/vnd.acme.company-profile+json; version=1");
});

it.each(["/search", "/search/companies", "/search/officers", "/search/disqualified-officers"])(
  "states the window of the settings: %s",
  async (path) => {
    const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as {
      paths: Record<string, { get: { parameters: unknown[] } }>;
    };
    expect(paths[path]?.get.parameters).toContainEqual(
      expect.objectContaining({ name: "start_index", schema: expect.objectContaining({ maximum: 49 }) }),
    );
  },
);

it("serves a page that may load from nowhere else", async () => {
  const response = await fetch(`${base}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
});

it("serves all that the page loads", async () => {
  const page = await (await fetch(`${base}/docs`)).text();
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(assets.length).toBe(4);
  for (const path of assets) {
    const response = await fetch(new URL(path, `${base}/docs`));
    expect([path, response.status]).toEqual([path, 200]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});

it("leads to the page from its address with a slash", async () => {
  const response = await fetch(`${base}/docs/`);
  expect([response.status, response.url]).toEqual([200, `${base}/docs`]);
});

it("serves no other file of the package", async () => {
  for (const path of ["/docs/package.json", "/docs/..%2fpackage.json", "/docs/swagger-ui.js"]) {
    expect((await fetch(base + path)).status).toBe(401);
  }
});
