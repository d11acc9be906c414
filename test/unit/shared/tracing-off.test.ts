/** What a process loads of OpenTelemetry, checked in a new process, because a test's process has loaded more. */
import { beforeAll, expect, it } from "@jest/globals";
import { buildRegister } from "../../support/faults/build.ts";
import { runModule } from "../../support/run-module.ts";

// Everything that API, worker and commands load before they read their settings.
const scriptOf = (folder: string) => `
import { createRequire } from "node:module";
import "${folder}/api/app.js";
import "${folder}/ingest/worker.js";
import "${folder}/ingest/private-pages.js";
import "${folder}/scripts/commands/index.js";
import { readConfig } from "${folder}/api/shared/settings/config.js";
import { startTracing } from "${folder}/api/shared/tracing/tracing.js";

const listLoaded = async (endpoint) => {
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await startTracing({ config, component: "api", onFault: () => undefined });
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  return [...new Set(loaded.flatMap((file) => /@opentelemetry\\/[^/]+/.exec(file) ?? []))];
};
console.log(JSON.stringify([await listLoaded(""), await listLoaded("http://127.0.0.1:1")]));
process.exit();
`;

let script = "";
beforeAll(() => {
  script = scriptOf(buildRegister());
}, 120_000);

const SDK = ["sdk-trace", "exporter-trace-otlp-http", "resources"].map((name) => `@opentelemetry/${name}`);

it("nothing of OpenTelemetry's SDK is loaded without the address of a collector", () => {
  const [without, withAddress] = JSON.parse(runModule(script).stdout) as string[][];
  for (const name of SDK) expect(without).not.toContain(name);
  // The check works: with an address, it finds the SDK.
  expect(withAddress).toEqual(expect.arrayContaining(SDK));
}, 60_000);
