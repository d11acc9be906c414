/** A Python environment for tests that run Python programs: made once, and kept in the folder for temporary files. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const REQUIREMENTS = "test/python/requirements.txt";

// chwrapper pins a version of requests that no current Python runs, so it is installed without its dependencies.
const isAlone = (requirement: string) => requirement.startsWith("chwrapper");

/** Returns the folder with the programs of an environment with the requirements; makes the environment if needed. */
export async function openPython(): Promise<string> {
  const requirements = readFileSync(REQUIREMENTS, "utf8");
  const required = requirements.split("\n").filter((line) => /^\w/.test(line));
  const version = createHash("sha1").update(requirements).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `company-register-python-${version}`);
  // The environment's programs contain its path, so it is made in place, and marked when it is complete.
  if (!existsSync(folder)) await run("python3", ["-m", "venv", folder]);
  const mark = join(folder, "complete");
  if (!existsSync(mark)) {
    const pip = join(folder, "bin", "pip");
    await run(pip, ["install", "--quiet", "--no-deps", ...required.filter(isAlone)]);
    await run(pip, ["install", "--quiet", ...required.filter((line) => !isAlone(line))]);
    await run("touch", [`${mark}.new`]);
    renameSync(`${mark}.new`, mark);
  }
  return join(folder, "bin");
}
