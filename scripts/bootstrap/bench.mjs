// Owns the command `bench`: the benchmarks against real engines, which end with them.

import { join } from "node:path";
import { startEngines } from "../engines/index.mjs";
import { runInForeground } from "./processes.mjs";
import { ensureBuild, ensurePackages } from "./project.mjs";
import { projectFolder, RunFolder } from "./run-folder.mjs";

const benchFile = join(projectFolder, "dist/scripts/bench/main.js");

/** Runs a benchmark of the built register and returns its exit code.
 * @param {string[]} args
 * @returns {Promise<number>} */
export async function runBench(args) {
  const asksForHelp = args.length === 0 || args.some((arg) => ["--help", "-h", "help"].includes(arg));
  const ready = ensurePackages().then(ensureBuild);
  const [addresses] = await Promise.all([asksForHelp ? {} : startEngines(new RunFolder("bench")), ready]);
  const env = { ...process.env, ...addresses };
  const { code } = await runInForeground(process.execPath, [benchFile, ...args], env);
  return code;
}
