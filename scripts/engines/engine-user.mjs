// The user that runs the engines. Elasticsearch and PostgreSQL refuse to run as root, so root starts them as nobody.

import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { run, startService, succeeds } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { cacheFolder } from "../bootstrap/run-folder.mjs";
import { ensureCommand, findCommand } from "./debian.mjs";

/** The unprivileged user of a run: makes folders that it may write, and runs commands as it. */
export class EngineUser {
  /** `identity`: uid and gid; null for the user who started this. `setpriv`: path of the command, if installed. */
  constructor(identity, setpriv) {
    this.identity = identity;
    this.setpriv = setpriv;
  }

  /** Makes a folder that the engines may write. */
  makeFolder(folder) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.own(folder);
    return folder;
  }

  own(path) {
    if (this.identity) chownSync(path, this.identity.uid, this.identity.gid);
  }

  /** Rewrites a command so that it runs as this user, and gets `deathSignal` if this process is killed. */
  wrap(command, args, deathSignal) {
    if (!this.setpriv) return [command, args];
    const user = this.identity
      ? [`--reuid=${this.identity.uid}`, `--regid=${this.identity.gid}`, "--clear-groups"]
      : [];
    const death = deathSignal ? [`--pdeathsig=${deathSignal.replace("SIG", "")}`] : [];
    return [this.setpriv, [...user, ...death, "--", command, ...args]];
  }

  run(command, args, options) {
    return run(...this.wrap(command, args), options);
  }

  startService(options) {
    const [command, args] = this.wrap(options.command, options.args, options.stopSignal ?? "SIGTERM");
    return startService({ ...options, command, args });
  }
}

/** Finds the user for the engines. Throws SetupError if it cannot read the cache folder. */
export async function findEngineUser() {
  if (process.getuid?.() !== 0) return new EngineUser(null, findCommand("setpriv"));
  const setpriv = await ensureCommand("setpriv", "util-linux");
  const uid = Number(await run("id", ["-u", "nobody"]));
  const gid = Number(await run("id", ["-g", "nobody"]));
  const user = new EngineUser({ uid, gid }, setpriv);
  const cache = cacheFolder();
  for (const folder of [cache, `${cache}/runs`, `${cache}/components`]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  if (!(await succeeds(...user.wrap("ls", [`${cache}/runs`]), { cwd: "/" }))) {
    throw new SetupError(
      `The engines run as the user nobody, who cannot read ${cache}: set COMPANY_REGISTER_CACHE to a folder that everyone can read.`,
    );
  }
  return user;
}
