// The engines in Docker: whether Docker works here, and how services of docker-compose.yml are started on free ports.

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

/** Why the engines cannot run in Docker; undefined if they can. Checked once, so that a run gets one answer. */
export function findDockerFault() {
  return (fault ??= askForFault());
}

async function askForFault() {
  const answers = (...args) => succeeds("docker", args, { timeoutMs: answerMs });
  if (!(await answers("info"))) return "no Docker engine answers";
  if (await answers("compose", "-f", composeFile, "config", "-q")) return undefined;
  return 'Docker runs, but "docker compose config" fails here: it needs Compose 2.24 or newer and a valid .env';
}

/** Starts engines, named by their variables, in a compose project of this run; returns their addresses by variable. */
export async function startInDocker(names, run) {
  const own = run.isKept ? basename(run.dataPath) : String(process.pid);
  const project = composeProjectOf(run.state.command, own);
  // For REDIS_URL, the service is redis, and its port is the variable REDIS_PORT.
  const engines = names.map((name) => name.replace("_URL", ""));
  const ports = await Promise.all(engines.map(findFreePort));
  const variables = engines.map((engine, index) => [`${engine}_PORT`, String(ports[index])]);
  // The engines end with the run, so Docker must not restart them after a reboot. Their small indices fit on a nearly
  // full disk.
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

/** Name of a compose project; `own` distinguishes the runs of a command. */
export function composeProjectOf(command, own) {
  return `company-register-${command}-${own}`;
}

/** Stops and deletes the containers of a run, and its data unless `keepsData`. */
export function removeComposeProject(project, keepsData = false) {
  return compose(project, ["down", ...(keepsData ? [] : ["-v"]), "--remove-orphans"]);
}

function compose(project, args, options) {
  return runHelper("docker", ["compose", "-p", project, "-f", composeFile, ...args], options);
}
