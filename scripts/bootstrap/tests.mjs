// Owns the commands `test` and `pages`, Jest against real engines, which end with it, and `faults` and `cluster`, whose tests
// start their own.

import { removeComposeProject } from "../engines/docker.mjs";
import { ensureBrowser } from "../engines/browser.mjs";
import { startEngines } from "../engines/index.mjs";
import { runInForeground } from "./processes.mjs";
import { ensurePackages } from "./project.mjs";
import { cleanUpKilledRuns, projectFolder, RunFolder } from "./run-folder.mjs";

/** Runs Jest, which compiles the TypeScript itself, and returns its exit code.
 * @param {string[]} args for Jest
 * @returns {Promise<number>} */
export async function runTests(args) {
  const run = new RunFolder("test");
  const [addresses] = await Promise.all([startEngines(run), ensurePackages()]);
  return runJest(args, { ...addresses, MONGODB_COMMANDS: run.file("mongodb-commands.jsonl") });
}

/** Runs the tests that walk the pages in a browser, and returns Jest's exit code.
 * @param {string[]} args for Jest
 * @returns {Promise<number>} */
export async function runPageTests(args) {
  const run = new RunFolder("test");
  const [browser, addresses] = await Promise.all([ensureBrowser(), startEngines(run), ensurePackages()]);
  return runJest(["--config", "jest.pages.config.js", ...args], { ...addresses, CHROMIUM: browser });
}

/** Runs the tests that harm engines which they start themselves, and returns Jest's exit code.
 * @param {"faults" | "cluster"} name of the folder below test, and of Jest's configuration
 * @param {string[]} args for Jest
 * @returns {Promise<number>} */
export async function runFaultTests(name, args) {
  await cleanUpKilledRuns((...project) => removeComposeProject(...project).catch(() => undefined));
  await ensurePackages();
  return runJest(["--config", `jest.${name}.config.js`, ...args], {});
}

/** @param {string[]} args
 * @param {Record<string, string>} addresses */
async function runJest(args, addresses) {
  const jest = `${projectFolder}/node_modules/jest/bin/jest.js`;
  const nodeArgs = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const { code } = await runInForeground(process.execPath, [...nodeArgs, jest, ...args], {
    ...process.env,
    ...addresses,
  });
  return code;
}
