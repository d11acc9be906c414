// Owns the command `engines`: the three engines for a developer, until Ctrl-C.

import { startEngines } from "../engines/index.mjs";
import { say } from "./progress.mjs";
import { RunFolder } from "./run-folder.mjs";

/** Brings up the engines, prints their addresses as shell assignments, and keeps running.
 * @returns {Promise<number>} */
export async function runEngines() {
  const run = new RunFolder("engines");
  const addresses = await startEngines(run);
  for (const [name, address] of Object.entries(addresses)) process.stdout.write(`${name}=${address}\n`);
  say(`Running; also in ${run.file("state.json")}. Ctrl-C stops them.`);
  return run.failWhenOneEnds();
}
