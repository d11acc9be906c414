// Owns the cache folder and the folder of each run in it, and cleans up after runs that were killed.

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

/** The checkout this bootstrap belongs to, found as an old Node can, too, which is told of its age after this line. */
export const projectFolder = resolve(fileURLToPath(new URL("../..", import.meta.url)));

const orphanStopMs = 10_000;
// A log that has grown to this is started again; the former part stays beside it.
const mostLogBytes = 10_000_000;
const logLookMs = 30_000;
// A service that died is started again after this long, and after twice as long each time it dies soon again.
const restartMs = 1_000;
const longestRestartMs = 60_000;

/** Where engines and runs live. Root's home is closed to the unprivileged user that the engines run as. */
export function cacheFolder() {
  if (process.env.COMPANY_REGISTER_CACHE) return resolve(process.env.COMPANY_REGISTER_CACHE);
  if (process.getuid?.() === 0) return "/var/cache/company-register";
  const home = homeFolder();
  if (home) return join(home, ".cache/company-register");
  throw new SetupError(
    "This user has no home folder: set COMPANY_REGISTER_CACHE to a folder that you can write to.",
  );
}

/** Empty where this user has none: HOME is empty, or not set for a user that the system does not know. */
export function homeFolder() {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/** The folder of one run, with the state that other commands and later runs read. */
export class RunFolder {
  /** `keptPath`: where the engines' data are and stay; by itself they end with the run. */
  constructor(command, keptPath) {
    this.path = join(cacheFolder(), "runs", `${command}-${process.pid}-${Date.now().toString(36)}`);
    this.dataPath = keptPath ?? this.path;
    this.isKept = keptPath !== undefined;
    this.services = [];
    const owner = identityOf(process.pid);
    // A run may add the port of its API, and its project in Docker.
    const { isKept } = this;
    this.state = { command, project: projectFolder, owner, processes: [], env: {}, isKept };
    mkdirSync(this.path, { recursive: true });
    // Root's umask may be tight; the engines' user has folders in here.
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

  /** Where an engine has its data. */
  data(name) {
    return join(this.dataPath, name);
  }

  /** Starts a service that ends with this run, or with the next one should this be killed outright. */
  start(user, options) {
    const service = user.startService(options);
    onStop(service.name, service.stop);
    this.services.push(service);
    if (service.isRunning()) this.update({ processes: [...this.state.processes, identityOf(service.pid)] });
    return service;
  }

  /** Starts a service that is started again when it ends by itself; `onEnd` is told how it ended. */
  startLasting(user, options, onEnd) {
    const begin = (pauseMs) => {
      const startedAt = Date.now();
      const service = this.start(user, options);
      // It is no reason for the run to end.
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

  /** Logs grow as long as a run lasts: their services write on at the end of what is left. */
  rotateLogs() {
    for (const name of listFolder(this.path).filter((file) => file.endsWith(".log"))) {
      const path = this.file(name);
      const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (size < mostLogBytes) continue;
      try {
        copyFileSync(path, `${path}.1`);
      } catch {
        // A full disk: what the log has is worth less than the room.
      }
      truncateSync(path);
    }
  }

  /** Waits until one of the services ends, which none should by itself. */
  async failWhenOneEnds() {
    const endings = this.services.map(async (service) => ({ service, end: await service.exited }));
    // With nothing started here only a signal ends the wait; a promise alone would not keep the process.
    if (endings.length === 0) await new Promise(() => setInterval(() => {}, longestRestartMs));
    const { service, end } = await Promise.race(endings);
    const way = this.isKept ? "\n\nStart the demo again: its data is kept." : "";
    throw new SetupError(`${service.name} ended unexpectedly with ${end}${quoteLog(service.logFile)}${way}`);
  }

  update(changes) {
    Object.assign(this.state, changes);
    this.save();
  }

  /** After a failure the logs stay until the next start: its message points at them. */
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

/** The states of a command of this checkout that runs, the newest last. */
export function listRunning(command) {
  return readStates().flatMap(({ state }) =>
    state?.command === command && state.project === projectFolder && isAlive(state.owner) ? [state] : [],
  );
}

/** Ends what killed runs left running and removes their folders; what a demo keeps stays. */
export async function cleanUpKilledRuns(removeComposeProject) {
  for (const { path, state } of readStates()) {
    // A run that has only just made its folder has no state yet.
    if (isAlive(state?.owner ?? identityOf(Number(basename(path).split("-")[1])))) continue;
    await endOrphans(state?.processes ?? []);
    if (state?.composeProject) await removeComposeProject(state.composeProject, state.isKept);
    rmSync(path, { recursive: true, force: true });
  }
}

/** Oldest first; a run without a state has only just begun, or was killed then. */
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

/** Ends processes that a dead run recorded. */
async function endOrphans(recorded) {
  // A pid alone may be that of another process by now.
  const orphans = recorded.filter((one) => one.startedAt !== null && isAlive(one));
  for (const [signal, waitMs] of Object.entries({ SIGTERM: orphanStopMs, SIGKILL: 2_000 })) {
    for (const { pid } of orphans.filter(isAlive)) sendSignal(pid, signal);
    for (const until = Date.now() + waitMs; orphans.some(isAlive) && Date.now() < until;) await sleep(100);
  }
}

/** What is in a folder; nothing where it is not there or cannot be read. */
export function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
