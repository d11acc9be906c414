/** The message if Elasticsearch finds no Java and none can be installed. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";

const PROGRAM = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const refuse = (call, pattern) => (path, ...rest) => {
    if (pattern.test(path)) throw Object.assign(new Error("none"), { code: "ENOENT" });
    return call(path, ...rest);
  };
  const { existsSync } = fs;
  fs.accessSync = refuse(fs.accessSync, /java$/);
  fs.existsSync = (path) => path !== "/usr/bin/apt-get" && existsSync(path);
  syncBuiltinESMExports();
  const { startElasticsearch } = await import("./scripts/engines/elasticsearch.mjs");
  await startElasticsearch({ task: { stage() {} } }).catch(({ message }) => console.log(message));`;

it("says why none could be installed", () => {
  const args = ["--input-type=module", "-e", PROGRAM];
  expect(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout).toBe(
    "Elasticsearch needs a full JDK, Java 21 or newer: install one and set JAVA_HOME. Installing one from Debian failed: " +
      "This system has no apt-get: install the package that Debian calls openjdk-21-jdk-headless by hand, or start Docker.\n",
  );
});
