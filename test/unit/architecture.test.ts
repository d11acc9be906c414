import { describe, expect, it } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const FOLDERS = ["api", "index-mappings", "ingest", "scripts"];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path)),
);

interface Import {
  from: string;
  to: string;
}

/** The imports of a file, with those of `await import("…")`. */
const IMPORT = /^(?:import|export(?= type \{| \{)) [^;]*?from "([^"]+)"|\bimport\("([^"]+)"\)/gm;

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(from, "utf8").matchAll(IMPORT)].map(([, named, awaited]) => {
    const to = named ?? awaited ?? "";
    return { from, to: to.startsWith(".") ? normalize(join(dirname(from), to)) : to };
  }),
);

/** Layers from low to high; a file belongs to the last one whose pattern fits. */
const LAYERS: [name: string, pattern: RegExp][] = [
  ["shared", /^api\/shared\//],
  ["resources", /^api\/resources\//],
  ["index mappings", /^index-mappings\//],
  ["search", /^api\/search\//],
  ["matching", /^api\/matching\//],
  ["processes", /^(api\/(main|app|http|docs|streams|pages)|ingest\/)/],
  ["scripts", /^scripts\//],
];
const layerOf = (path: string) => LAYERS.findIndex(([, pattern]) => pattern.test(path));
const isOwn = (path: string) => FOLDERS.some((folder) => path.startsWith(`${folder}/`));

describe("the architecture", () => {
  it("has a layer for every file", () => {
    expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
  });

  it("never imports a higher layer, types included", () => {
    const wrong = imports.filter(({ from, to }) => isOwn(to) && layerOf(to) > layerOf(from));
    expect(wrong).toEqual([]);
  });

  it("has no folder of more than 20 files", () => {
    const counts = new Map<string, number>();
    for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  it("keeps api and ingest apart", () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (from.startsWith("api/") && to.startsWith("ingest/")) ||
        (from.startsWith("ingest/") && to.startsWith("api/http")),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    [
      "mongodb",
      /^(api\/shared\/stores\/mongodb\/(mongo|client|documents|faults|form|gather|groups|indexes|scan|writes)|scripts\/bench\/load\/(bare-clients|whole)|scripts\/bench\/worker\/(counting-mongo|kept-documents|wire))\.ts$/,
    ],
    [
      "@elastic/elasticsearch",
      /^(api\/shared\/stores\/elasticsearch\/(elasticsearch|search|documents|health|builds|words|writes|faults|nodes)|scripts\/bench\/load\/bare-clients|scripts\/bench\/worker\/(counting-mongo|kept-documents|wire))\.ts$/,
    ],
    ["ioredis", /^api\/shared\/stores\/redis\/(redis|sentinels|locks|numbers)\.ts$/],
    ["bullmq", /^ingest\/(queue\/queue|worker)\.ts$/],
    ["koa", /^api\/(app|http\/.*|pages\/routes)\.ts$/],
    ["@koa/cors", /^api\/http\/cors\.ts$/],
    ["@node-oauth/oauth2-server", /^api\/http\/oauth\/(server|model)\.ts$/],
    ["@koa/router", /^api\/(http\/.*|pages\/(routes|assets)|streams\/app)\.ts$/],
    ["hono/jsx", /^(api\/(pages|shared\/html|http\/oauth)\/.*\.tsx?)$/],
    ["hono/html", /^api\/matching\/reconciliation\/preview\.tsx$/],
    [
      "lru-cache",
      /^api\/(streams\/pages|search\/near-words|shared\/stores\/elasticsearch\/words|http\/auth\/secret-cache|http\/limits\/(rate-limit|attempts|admission))\.ts$/,
    ],
    ["ajv/dist/2020.js", /^api\/shared\/schemas\/validate\.ts$/],
    ["prom-client", /^api\/shared\/metrics\/metrics\.ts$/],
    ["@opentelemetry/api", /^api\/shared\/tracing\/opentelemetry\.ts$/],
    ["@opentelemetry/sdk-trace", /^api\/shared\/tracing\/opentelemetry\.ts$/],
    ["@opentelemetry/exporter-trace-otlp-http", /^api\/shared\/tracing\/opentelemetry\.ts$/],
    ["pino", /^api\/shared\/runtime\/logger\.ts$/],
    ["commander", /^scripts\/(program|bench\/main)\.ts$/],
    ["yauzl", /^ingest\/readers\/.*\.ts$/],
    ["yaml", /^scripts\/commands\/contract\.ts$/],
  ])("uses %s in one place only", (library, home) => {
    const users = imports.filter(({ to }) => to === library).map(({ from }) => from);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((file) => !home.test(file))).toEqual([]);
  });

  it("reads the environment only in config.ts", () => {
    const users = files.filter((file) => readFileSync(file, "utf8").includes("process.env"));
    expect(users).toEqual(["api/shared/settings/config.ts"]);
  });

  it("has no import cycles, types included", () => {
    expect(findCycle()).toEqual([]);
  });
});

/** A chain of files that import each other; empty if there is none. */
function findCycle(): string[] {
  const targets = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { from, to } of imports) if (targets.has(to)) targets.get(from)?.push(to);
  const done = new Set<string>();
  const visit = (file: string, chain: string[]): string[] => {
    if (chain.includes(file)) return [...chain.slice(chain.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const target of targets.get(file) ?? []) {
      const cycle = visit(target, [...chain, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  return files.map((file) => visit(file, [])).find((cycle) => cycle.length > 0) ?? [];
}
