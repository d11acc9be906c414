// Owns the command `test`: Jest against real engines, which end with it.

import { startEngines } from "../engines/index.mjs";
import { runInForeground } from "./processes.mjs";
import { ensurePackages } from "./project.mjs";
import { projectFolder, RunFolder } from "./run-folder.mjs";

/** Runs Jest, which compiles the TypeScript itself, and returns its exit code.
 * @param {string[]} args for Jest
 * @returns {Promise<number>} */
export async function runTests(args) {
  const run = new RunFolder("test");
  const [addresses] = await Promise.all([startEngines(run), ensurePackages()]);
  const jest = `${projectFolder}/node_modules/jest/bin/jest.js`;
  const nodeArgs = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const { code } = await runInForeground(process.execPath, [...nodeArgs, jest, ...args], {
    ...process.env,
    ...addresses,
  });
  return code;
}
