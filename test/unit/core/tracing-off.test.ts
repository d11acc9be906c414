/** What a process loads of OpenTelemetry, seen in a process of its own: a test's has loaded more. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildRegister } from "../../support/faults/build.ts";

// All that API, worker and commands load before they read their settings.
const SCRIPT = `
import { createRequire } from "node:module";
import "./api/app.js";
import "./ingest/worker.js";
import "./ingest/metrics/private-pages.js";
import "./scripts/commands/index.js";
import { readConfig } from "./api/shared/settings/config.js";
import { startTracing } from "./api/shared/tracing/tracing.js";

const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[2] });
await startTracing({ config, component: "api", onFault: () => undefined });
const loaded = Object.keys(createRequire(import.meta.url).cache);
const packages = loaded.flatMap((file) => /@opentelemetry\\/[^/]+/.exec(file) ?? []);
console.log(JSON.stringify([...new Set(packages)]));
process.exit();
`;

let build = "";
beforeAll(() => {
  build = buildRegister();
  writeFileSync(join(build, "loaded.js"), SCRIPT);
}, 120_000);
afterAll(() => rmSync(build, { recursive: true }));

function listLoaded(endpoint: string): unknown {
  return JSON.parse(
    execFileSync(process.execPath, [join(build, "loaded.js"), endpoint], { encoding: "utf8" }),
  );
}

const SDK = ["sdk-trace", "exporter-trace-otlp-http", "resources"].map((name) => `@opentelemetry/${name}`);

it("nothing of OpenTelemetry's SDK is loaded without the address of a collector", () => {
  const loaded = listLoaded("");
  for (const name of SDK) expect(loaded).not.toContain(name);
  // The sight is not blurred: with an address all of it is seen.
  expect(listLoaded("http://127.0.0.1:1")).toEqual(expect.arrayContaining(SDK));
}, 60_000);
