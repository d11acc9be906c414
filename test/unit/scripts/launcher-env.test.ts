/** The environment that Elasticsearch is started with. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const cache = join(makeOwnFolder(), "Cäche");
const PROGRAM = `
  import { mkdirSync } from "node:fs";
  const { startElasticsearch } = await import("./scripts/engines/elasticsearch.mjs");
  const start = (user, { env }) => { console.log(env.LC_ALL); process.exit(); };
  const user = {
    makeFolder: (folder) => { mkdirSync(folder, { recursive: true }); return folder; },
    own() {},
    run: async () => "java.base@25 jdk.jdi@25 jdk.jlink@25",
  };
  const run = { start, data: (name) => process.env.COMPANY_REGISTER_CACHE + "/" + name, file: (name) => name };
  await startElasticsearch({ run, user, task: { stage() {} } });`;

it("Java reads paths as UTF-8, whatever the locale of the person who starts it", () => {
  const config = join(cache, "components/elasticsearch-9.4.3/config");
  const java = join(cache, "java");
  mkdirSync(config, { recursive: true });
  mkdirSync(join(java, "bin"), { recursive: true });
  for (const name of ["jvm.options", "log4j2.properties"]) writeFileSync(join(config, name), "");
  writeFileSync(join(java, "bin/java"), "", { mode: 0o755 });
  const env = { PATH: process.env.PATH, COMPANY_REGISTER_CACHE: cache, JAVA_HOME: java, LC_ALL: "POSIX" };
  const { stdout, stderr } = runModule(PROGRAM, { env });
  expect(stdout + stderr).toBe("C.UTF-8\n");
});
