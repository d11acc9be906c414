/** The message if Elasticsearch finds no Java and none can be installed. */
import { expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.ts";

const HIDE_JAVA = `
  import fs from "node:fs";
  import os from "node:os";
  import { syncBuiltinESMExports } from "node:module";
  const refuse = (call, pattern) => (path, ...rest) => {
    if (pattern.test(path)) throw Object.assign(new Error("none"), { code: "ENOENT" });
    return call(path, ...rest);
  };
  const { existsSync } = fs;
  fs.accessSync = refuse(fs.accessSync, /java$/);
  fs.existsSync = (path) => path !== "/usr/bin/apt-get" && existsSync(path);`;
const HIDE_HOME = 'os.homedir = () => { throw new Error("no such user"); };';
const START = `
  syncBuiltinESMExports();
  const { startElasticsearch } = await import("./scripts/engines/elasticsearch.mjs");
  await startElasticsearch({ task: { stage() {} } }).catch(({ message }) => console.log(message));`;

it.each([
  ["with a home folder", ""],
  ["without a home folder, in which some JDKs are installed", HIDE_HOME],
])("a user %s is told why no Java could be installed", (_title, hideHome) => {
  expect(runModule(HIDE_JAVA + hideHome + START).stdout).toBe(
    "Elasticsearch needs a full JDK, Java 21 or newer: install one and set JAVA_HOME. Installing one from Debian failed: " +
      "This system has no apt-get: install the package that Debian calls openjdk-21-jdk-headless by hand, or start Docker.\n",
  );
});
