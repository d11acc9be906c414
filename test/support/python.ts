/** A Python of its own for tests with Python programs: made once, kept in the folder for temporary files. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const REQUIREMENTS = "test/python/requirements.txt";

// Without its dependencies: it pins a version of requests that no Python of today runs.
const isAlone = (requirement: string) => requirement.startsWith("chwrapper");

/** Folder with the programs of an environment that holds the requirements; made when it is not there yet. */
export async function openPython(): Promise<string> {
  const requirements = readFileSync(REQUIREMENTS, "utf8");
  const required = requirements.split("\n").filter((line) => /^\w/.test(line));
  const version = createHash("sha1").update(requirements).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `company-register-python-${version}`);
  if (!existsSync(folder)) {
    // Programs of an environment carry its path, so it is made in place and marked when it is whole.
    await run("python3", ["-m", "venv", folder]);
  }
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
