// Owns the engines in Docker: whether an engine runs here, and the services of docker-compose.yml on free ports.

import { basename, join } from "node:path";
import { onStop } from "../bootstrap/lifecycle.mjs";
import { run as runHelper, succeeds } from "../bootstrap/processes.mjs";
import { follow } from "../bootstrap/progress.mjs";
import { projectFolder } from "../bootstrap/run-folder.mjs";
import { findFreePort } from "./ports.mjs";

const answerMs = 5_000;
const composeFile = join(projectFolder, "docker-compose.yml");

const schemes = { ELASTICSEARCH_URL: "http", MONGODB_URL: "mongodb", REDIS_URL: "redis" };

let fault;

/** Why the engines cannot run in Docker; undefined: they can. It is asked once: all of a start must decide alike. */
export function findDockerFault() {
  return (fault ??= askForFault());
}

async function askForFault() {
  const answers = (...args) => succeeds("docker", args, { timeoutMs: answerMs });
  if (!(await answers("info"))) return "no Docker engine answers";
  if (await answers("compose", "-f", composeFile, "config", "-q")) return undefined;
  return 'Docker runs, but "docker compose config" fails here: it needs Compose 2.24 or newer and a valid .env';
}

/** Starts the engines named by their variables in a compose project of this run; returns their addresses. */
export async function startInDocker(names, run) {
  const own = run.isKept ? basename(run.dataPath) : String(process.pid);
  const project = composeProjectOf(run.state.command, own);
  // The engine of REDIS_URL is the service redis, whose port REDIS_PORT says.
  const engines = names.map((name) => name.replace("_URL", ""));
  const ports = await Promise.all(engines.map(findFreePort));
  const variables = engines.map((engine, index) => [`${engine}_PORT`, String(ports[index])]);
  // They end with the run: Docker must not start them again after a reboot. Their indices fit on a nearly full disk, too.
  const fixed = { ENGINES_RESTART: "no", ELASTICSEARCH_DISK_THRESHOLD: "false" };
  const env = { ...process.env, ...Object.fromEntries(variables), ...fixed };
  run.update({ composeProject: project });
  onStop("Docker services", () => removeComposeProject(project, run.isKept));
  const services = engines.map((engine) => engine.toLowerCase());
  await follow("Docker services", () => compose(project, ["up", "-d", "--wait", ...services], { env }));
  return Object.fromEntries(
    names.map((name, index) => [name, `${schemes[name]}://127.0.0.1:${ports[index]}`]),
  );
}

/** `own` distinguishes the runs of a command. */
export function composeProjectOf(command, own) {
  return `company-register-${command}-${own}`;
}

/** Stops and deletes what a run had in Docker, its data as well unless they are to be kept. */
export function removeComposeProject(project, keepsData = false) {
  return compose(project, ["down", ...(keepsData ? [] : ["-v"]), "--remove-orphans"]);
}

function compose(project, args, options) {
  return runHelper("docker", ["compose", "-p", project, "-f", composeFile, ...args], options);
}
