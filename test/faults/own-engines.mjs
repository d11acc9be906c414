// Starts engines for one test file, with folders and ports of their own, so that it can kill, freeze and restart them.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { stopAll } from "../../scripts/bootstrap/lifecycle.mjs";
import { RunFolder } from "../../scripts/bootstrap/run-folder.mjs";
import { startFromPackages } from "../../scripts/engines/index.mjs";

/** A run that remembers how its services were started, so that it can restart them. */
export class RestartableRun extends RunFolder {
  started = new Map();

  /** @type {RunFolder["start"]} */
  start(user, options) {
    // Acknowledged writes of the stand-in for MongoDB must survive its death here; other tests prefer speed.
    options.args = options.args.map((arg) => arg.replace("synchronous_commit=off", "synchronous_commit=on"));
    const service = super.start(user, options);
    this.started.set(options.name, { user, options, service });
    return service;
  }

  /** @param {string} name */
  find(name) {
    const found = this.started.get(name);
    if (!found) throw new Error(`there is no engine ${name}`);
    return found;
  }

  /** @param {string} name @param {NodeJS.Signals} signal */
  signal(name, signal) {
    // The whole process group, because Elasticsearch's launcher starts the server as a child.
    process.kill(-this.find(name).service.pid, signal);
  }

  /** Restarts with the same data and port; does not wait until it answers.
   * @param {string} name */
  async restart(name) {
    const { user, options, service } = this.find(name);
    await service.exited;
    this.start(user, options);
  }
}

/** Starts Elasticsearch, FerretDB over PostgreSQL, and Redis; see the types beside this file. */
export async function startOwnEngines() {
  const run = new RestartableRun("faults");
  const addresses = await startFromPackages(["ELASTICSEARCH_URL", "MONGODB_URL", "REDIS_URL"], run);
  return {
    addresses,
    /** @param {string} name @param {NodeJS.Signals} signal */
    signal: (name, signal) => run.signal(name, signal),
    /** @param {string} name */
    restart: (name) => run.restart(name),
    /** @param {string} name */
    forgetData(name) {
      rmSync(join(run.find(name).options.cwd, "appendonlydir"), { recursive: true });
    },
    close: () => stopAll(),
  };
}
