// The cache folder, the folder of each run in it, and the cleanup after runs that were killed.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hasFailed, isStopping, onStop } from "./lifecycle.mjs";
import { identityOf, isAlive, quoteLog, sendSignal } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

/** The checkout. Found in a way that an old Node knows: it must get as far as the check of its version. */
export const projectFolder = resolve(fileURLToPath(new URL("../..", import.meta.url)));

const orphanStopMs = 10_000;
// A log of this size is emptied; its content is kept in a file beside it.
const mostLogBytes = 10_000_000;
const logLookMs = 30_000;
// Pause before a service that ended is started again. Each time it ends again soon, the pause doubles.
const restartMs = 1_000;
const longestRestartMs = 60_000;

/** Folder of installed engines and of runs. Not root's home, which the user that runs the engines cannot read. */
export function cacheFolder() {
  if (process.env.COMPANY_REGISTER_CACHE) return resolve(process.env.COMPANY_REGISTER_CACHE);
  if (process.getuid?.() === 0) return "/var/cache/company-register";
  const home = homeFolder();
  if (home) return join(home, ".cache/company-register");
  throw new SetupError(
    "This user has no home folder: set COMPANY_REGISTER_CACHE to a folder that you can write to.",
  );
}

/** Empty if this user has no home folder: HOME is empty, or it is unset and the system does not know the user. */
export function homeFolder() {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/** The folder of one run, with the state (state.json) that other commands and later runs read. */
export class RunFolder {
  /** `keptPath`: folder in which the engines' data stays; without it the data is deleted at the end of the run. */
  constructor(command, keptPath) {
    this.path = join(cacheFolder(), "runs", `${command}-${process.pid}-${Date.now().toString(36)}`);
    this.dataPath = keptPath ?? this.path;
    this.isKept = keptPath !== undefined;
    this.services = [];
    const owner = identityOf(process.pid);
    // Runs later add `port` (of the demo's API) and `composeProject` (in Docker).
    const { isKept } = this;
    this.state = { command, project: projectFolder, owner, processes: [], env: {}, isKept };
    mkdirSync(this.path, { recursive: true });
    // The engines' user has folders in it, and root's umask may be strict.
    chmodSync(this.path, 0o755);
    this.save();
    const looking = setInterval(() => this.rotateLogs(), logLookMs).unref();
    onStop("run folder", () => {
      clearInterval(looking);
      this.remove();
    });
  }

  file(name) {
    return join(this.path, name);
  }

  /** The folder of an engine's data. */
  data(name) {
    return join(this.dataPath, name);
  }

  /** Starts a service that ends with this run; if this run is killed, the next run ends it. */
  start(user, options) {
    const service = user.startService(options);
    onStop(service.name, service.stop);
    this.services.push(service);
    if (service.isRunning()) this.update({ processes: [...this.state.processes, identityOf(service.pid)] });
    return service;
  }

  /** Starts a service, and starts it again whenever it ends by itself; `onEnd` gets the exit code or signal. */
  startLasting(user, options, onEnd) {
    const begin = (pauseMs) => {
      const startedAt = Date.now();
      const service = this.start(user, options);
      // failWhenOneEnds must not see it: its end does not end the run.
      this.services.splice(this.services.indexOf(service), 1);
      service.exited.then(async (end) => {
        if (isStopping()) return;
        onEnd(end);
        await sleep(pauseMs);
        const isSoon = Date.now() - startedAt < longestRestartMs;
        if (!isStopping()) begin(isSoon ? Math.min(2 * pauseMs, longestRestartMs) : restartMs);
      });
    };
    begin(restartMs);
  }

  /** Empties logs that have grown large. Services append, so they go on at the new end. */
  rotateLogs() {
    for (const name of listFolder(this.path).filter((file) => file.endsWith(".log"))) {
      const path = this.file(name);
      const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (size < mostLogBytes) continue;
      try {
        copyFileSync(path, `${path}.1`);
      } catch {
        // The disk is full: space is worth more than the old log.
      }
      truncateSync(path);
    }
  }

  /** Waits until one of the services ends, and throws SetupError: none should end by itself. */
  async failWhenOneEnds() {
    const endings = this.services.map(async (service) => ({ service, end: await service.exited }));
    // Without services only a signal ends the wait. The timer keeps the process alive, which a promise alone does not.
    if (endings.length === 0) await new Promise(() => setInterval(() => {}, longestRestartMs));
    const { service, end } = await Promise.race(endings);
    const way = this.isKept ? "\n\nStart the demo again: its data is kept." : "";
    throw new SetupError(`${service.name} ended unexpectedly with ${end}${quoteLog(service.logFile)}${way}`);
  }

  update(changes) {
    Object.assign(this.state, changes);
    this.save();
  }

  /** Deletes the folder. After a failure the logs stay until the next start, since the error message names them. */
  remove() {
    if (!hasFailed()) return rmSync(this.path, { recursive: true, force: true });
    for (const entry of readdirSync(this.path, { withFileTypes: true }))
      if (!entry.isFile()) rmSync(this.file(entry.name), { recursive: true, force: true });
  }

  save() {
    const draft = this.file("state.json.new");
    writeFileSync(draft, `${JSON.stringify(this.state, null, 2)}\n`);
    renameSync(draft, this.file("state.json"));
  }
}

/** The states of all running calls of a command in this checkout, the newest last. */
export function listRunning(command) {
  return readStates().flatMap(({ state }) =>
    state?.command === command && state.project === projectFolder && isAlive(state.owner) ? [state] : [],
  );
}

/** Ends the processes of killed runs and removes their folders. The kept data of a demo stays. */
export async function cleanUpKilledRuns(removeComposeProject) {
  for (const { path, state } of readStates()) {
    // A run that has just made its folder has no state yet: its folder's name has the pid.
    if (isAlive(state?.owner ?? identityOf(Number(basename(path).split("-")[1])))) continue;
    await endOrphans(state?.processes ?? []);
    if (state?.composeProject) await removeComposeProject(state.composeProject, state.isKept);
    rmSync(path, { recursive: true, force: true });
  }
}

/** All runs, oldest first. A run without a state has just begun, or was killed at that moment. */
function readStates() {
  const folder = join(cacheFolder(), "runs");
  const states = listFolder(folder).map((name) => {
    const path = join(folder, name);
    try {
      return { path, state: JSON.parse(readFileSync(join(path, "state.json"), "utf8")) };
    } catch {
      return { path, state: undefined };
    }
  });
  return states.sort((a, b) => (basename(a.path).split("-")[2] < basename(b.path).split("-")[2] ? -1 : 1));
}

/** Ends the processes that a killed run has recorded. */
async function endOrphans(recorded) {
  // Without its start time, the pid may be that of another process by now.
  const orphans = recorded.filter((one) => one.startedAt !== null && isAlive(one));
  for (const [signal, waitMs] of Object.entries({ SIGTERM: orphanStopMs, SIGKILL: 2_000 })) {
    for (const { pid } of orphans.filter(isAlive)) sendSignal(pid, signal);
    for (const until = Date.now() + waitMs; orphans.some(isAlive) && Date.now() < until;) await sleep(100);
  }
}

/** Names in a folder; empty if it is missing or cannot be read. */
export function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
