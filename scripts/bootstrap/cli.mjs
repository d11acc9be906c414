// Owns the command `cli`: the register's own commands, pointed at a running demo when nothing else is said.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { handleSignals } from "./lifecycle.mjs";
import { runInForeground } from "./processes.mjs";
import { ensureProgram } from "./project.mjs";
import { say, SetupError } from "./progress.mjs";
import { listRunning, projectFolder } from "./run-folder.mjs";

/** The compiled entry of the register's commands. */
export const cliFile = join(projectFolder, "dist/scripts/cli.js");

const addressNames = ["ELASTICSEARCH_URL", "MONGODB_URL", "REDIS_URL"];

/** Runs a command of the register in this terminal and ends as it ends. */
export async function runCli(args) {
  await ensureProgram();
  // The command itself decides what a signal means. It may be sent to npm or to this process alone, so it is always passed on.
  const passSignals = (child) => handleSignals((signal) => child.kill(signal));
  // Help needs no stores.
  const isHelp = args.length === 0 || args[0] === "help" || args.includes("--help") || args.includes("-h");
  const env = isHelp ? process.env : chooseStores(process.env);
  const options = { env, cwd: folderOfPerson(process.env), onStarted: passSignals };
  const { code, signal } = await runInForeground(process.execPath, [cliFile, ...args], options);
  if (signal) {
    // A shell sees what happened when this process ends by the same signal.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  return code;
}

/** Where the person stands: npm goes into the checkout, where the names of their files mean others. */
export function folderOfPerson({ npm_lifecycle_event: script, INIT_CWD: folder }) {
  // A process that another npm has started inherits the folder of that one.
  return script === "cli" && folder && canEnter(folder) ? folder : undefined;
}

function canEnter(folder) {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Adds where the running demo is, and says which; what the person has set stays. Of several demos the one of PORT, else the one
 * that was started last. Without any the settings count, also by their defaults. */
export function chooseStores(env) {
  // As the register's settings are read: a value may be in a file.
  const given = addressNames.flatMap((name) => [name, `${name}_FILE`].find((one) => env[one]) ?? []);
  if (given.length === addressNames.length) return env;
  // One that still starts has no engines yet.
  const demos = listRunning("demo").filter(({ port }) => port !== undefined);
  const demo = env.PORT ? demos.find(({ port }) => String(port) === env.PORT) : demos.at(-1);
  const ports = demos.map(({ port }) => port).join(", ");
  if (!demo && demos.length > 0)
    throw new SetupError(`No demo runs on port ${env.PORT}. Set PORT to that of a running demo: ${ports}.`);
  if (!demo) {
    const used =
      "using the stores at ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL, by default on this machine";
    say(`No demo of this checkout is running: ${used}.`);
    return env;
  }
  if (given.length > 0)
    throw new SetupError(
      `A demo runs on port ${demo.port}: unset ${given.join(", ")} to use it, or set all of ${addressNames.join(", ")} ` +
        "to use other stores.",
    );
  const other = !env.PORT && demos.find((one) => one !== demo);
  const way = `set PORT to choose one, as in PORT=${other?.port} npm run cli -- status.`;
  say(`Using the demo on port ${demo.port}.${other ? ` Demos run on the ports ${ports}: ${way}` : ""}`);
  const set = Object.entries(env).filter(([, value]) => value);
  const address = `http://127.0.0.1:${demo.port}`;
  return { ...demo.env, PUBLIC_URL: address, ...Object.fromEntries(set) };
}
