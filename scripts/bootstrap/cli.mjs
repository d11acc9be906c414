// The command `cli`: runs the register's own commands, against a running demo unless the settings name other stores.

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

/** Runs a command of the register in this terminal. Returns its exit code, or ends by the same signal. */
export async function runCli(args) {
  await ensureProgram();
  // The command decides what a signal means. Somebody may send it only to npm or to this process, so it is always
  // passed on.
  const passSignals = (child) => handleSignals((signal) => child.kill(signal));
  // Help needs no stores.
  const isHelp = args.length === 0 || args[0] === "help" || args.includes("--help") || args.includes("-h");
  const env = isHelp ? process.env : chooseStores(process.env);
  const options = { env, cwd: folderOfPerson(process.env), onStarted: passSignals };
  const { code, signal } = await runInForeground(process.execPath, [cliFile, ...args], options);
  if (signal) {
    // End by the same signal, so that the shell sees it.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  return code;
}

/** The folder in which the user called npm, which file names refer to. npm itself changes into the checkout. */
export function folderOfPerson({ npm_lifecycle_event: script, INIT_CWD: folder }) {
  // If the script is not `cli`, another npm has started this process, and INIT_CWD is the folder of that npm.
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

/** Adds the addresses of the running demo to the environment, and says which demo it is. What the user has set stays.
 * If several demos run, PORT chooses one, else the last started is used. If none runs, the settings apply. */
export function chooseStores(env) {
  // A setting may also be in a file that <NAME>_FILE names.
  const given = addressNames.flatMap((name) => [name, `${name}_FILE`].find((one) => env[one]) ?? []);
  if (given.length === addressNames.length) return env;
  // A demo that is still starting has no engines yet.
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
