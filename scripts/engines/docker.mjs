// Owns the engines in Docker: whether an engine runs here, and the services of docker-compose.yml on free ports.

import { basename, join } from "node:path";
import { onStop } from "../bootstrap/lifecycle.mjs";
import { run as runHelper, succeeds } from "../bootstrap/processes.mjs";
import { follow } from "../bootstrap/progress.mjs";
import { projectFolder } from "../bootstrap/run-folder.mjs";
import { findFreePort } from "./ports.mjs";

const answerMs = 5_000;

const services = {
  ELASTICSEARCH_URL: { service: "elasticsearch", portVariable: "ELASTICSEARCH_PORT", scheme: "http" },
  MONGODB_URL: { service: "mongodb", portVariable: "MONGODB_PORT", scheme: "mongodb" },
  REDIS_URL: { service: "redis", portVariable: "REDIS_PORT", scheme: "redis" },
};

/** Whether a Docker engine answers and has the compose command. */
export async function hasDocker() {
  if (!(await succeeds("docker", ["info"], { timeoutMs: answerMs }))) return false;
  return succeeds("docker", ["compose", "version"], { timeoutMs: answerMs });
}

/** Starts the engines named by their variables in a compose project of this run; returns their addresses. */
export async function startInDocker(names, run) {
  const own = run.isKept ? basename(run.dataPath) : String(process.pid);
  const project = composeProjectOf(run.state.command, own);
  const ports = await Promise.all(names.map(findFreePort));
  const env = { ...process.env };
  names.forEach((name, index) => (env[services[name].portVariable] = String(ports[index])));
  run.update({ composeProject: project });
  onStop("Docker services", () => removeComposeProject(project, run.isKept));
  const wanted = names.map((name) => services[name].service);
  await follow("Docker services", () => compose(project, ["up", "-d", "--wait", ...wanted], { env }));
  return Object.fromEntries(
    names.map((name, index) => [name, `${services[name].scheme}://127.0.0.1:${ports[index]}`]),
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
  const file = join(projectFolder, "docker-compose.yml");
  return runHelper("docker", ["compose", "-p", project, "-f", file, ...args], options);
}
