// Child processes: helpers that run to their end, services that keep running, and how to recognise a process later.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNotStopping, onStop } from "./lifecycle.mjs";
import { SetupError } from "./progress.mjs";

const setpriv = "/usr/bin/setpriv";
const shownHeadLines = 6;
const shownTailLines = 14;
const keptOutputBytes = 64_000;
const helperStopMs = 5_000;
const foregroundStopMs = 10_000;
const lateOutputMs = 2_000;

/** Runs a helper to its end and returns its output. Throws SetupError with parts of the output unless its exit code is
 * 0. With `mayAsk` it keeps the terminal, so that it can ask for a password. */
export async function run(command, args, { cwd, env, timeoutMs, mayAsk = false } = {}) {
  assertNotStopping();
  const child = spawn(...endingWithThis(command, args), {
    cwd,
    env,
    detached: !mayAsk,
    stdio: [mayAsk ? "inherit" : "ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk) => (output = (output + chunk).slice(-keptOutputBytes));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = endOf(child);
  const closed = once(child, "close").catch(() => undefined);
  const forget = onStop(command, () => stopGroup({ child, ended, signal: "SIGTERM", stopMs: helperStopMs }));
  const timer =
    timeoutMs && setTimeout(() => stopGroup({ child, ended, signal: "SIGKILL", stopMs: 0 }), timeoutMs);
  const end = await ended;
  // The exit may be reported before all output is read, so wait for "close", but not for long: a process that the
  // helper has started may hold the output open as long as it runs.
  await Promise.race([closed, sleep(lateOutputMs, undefined, { ref: false })]);
  if (timer) clearTimeout(timer);
  forget();
  if (end !== "code 0")
    throw new SetupError(`${command} ${args[0] ?? ""} ended with ${end}${quoteEnds(output)}`);
  return output;
}

/** Whether a helper runs and its exit code is 0. */
export async function succeeds(command, args, options) {
  return run(command, args, options).then(
    () => true,
    () => false,
  );
}

/** Starts a service whose output goes to a file. It gets its own process group, so that a Ctrl-C in the terminal does
 * not reach it before the orderly stop does. */
export function startService(options) {
  const { name, command, args, cwd, env, logFile, stopSignal: signal = "SIGTERM", stopMs = 15_000 } = options;
  assertNotStopping();
  const log = openSync(logFile, "a");
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  const exited = endOf(child);
  let isRunning = child.pid !== undefined;
  void exited.then(() => {
    isRunning = false;
    // Its child processes must not outlive it: when Elasticsearch's launcher is killed, the server runs on.
    if (child.pid) sendSignal(-child.pid, "SIGKILL");
  });
  const stop = () => stopGroup({ child, ended: exited, signal, stopMs });
  return { name, pid: child.pid ?? -1, logFile, exited, isRunning: () => isRunning, stop };
}

/**
 * Runs a program in the user's terminal until it ends; a Ctrl-C reaches it directly. Returns its signal, and the exit
 * code that a shell would show (128 + number of the signal).
 */
export async function runInForeground(command, args, { env, cwd, onStarted }) {
  assertNotStopping();
  const child = spawn(command, args, { env, cwd, stdio: "inherit" });
  const ended = endOf(child);
  const forget = onStop(command, () =>
    stopGroup({ child, ended, signal: "SIGTERM", stopMs: foregroundStopMs }),
  );
  onStarted?.(child);
  const end = await ended;
  forget();
  if (child.pid === undefined) throw new SetupError(`${command} could not be started: ${end}`);
  const { exitCode, signalCode } = child;
  return { code: exitCode ?? 128 + (signalCode ? constants.signals[signalCode] : 0), signal: signalCode };
}

/** Waits until a check returns true. Throws SetupError, with lines of the log, if the service ends or time is up. */
export async function waitUntilReady(service, check, deadlineMs) {
  const until = performance.now() + deadlineMs;
  while (!(await check().catch(() => false))) {
    assertNotStopping();
    const { name, logFile } = service;
    if (!service.isRunning())
      throw new SetupError(`${name} ended with ${await service.exited}${quoteLog(logFile)}`);
    if (performance.now() > until)
      throw new SetupError(`${name} did not answer within ${deadlineMs / 1000} s${quoteLog(logFile)}`);
    await sleep(100);
  }
}

/** The first and last lines of a log, to append to a sentence without its full stop. */
export function quoteLog(logFile) {
  const text = existsSync(logFile) ? readFileSync(logFile, "utf8") : "";
  return `${quoteEnds(text)}\n  (log: ${logFile})`;
}

/**
 * Identifies a running process, so that a later run can distinguish it from a new process with the same pid
 * (`isAlive`). `startedAt` is null if the system does not tell it: then any process with this pid counts as alive, and
 * none may be ended.
 */
export function identityOf(pid) {
  return { pid, startedAt: startTimeOf(pid) };
}

export function isAlive({ pid, startedAt }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return startTimeOf(pid) === startedAt;
}

/** Start time: in clock ticks since boot; without /proc, as on macOS, as a date. Null for a process that has ended. */
function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : fields[19];
  } catch {
    const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
    const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", pid], { encoding: "utf8", env });
    const [state = "Z", ...startedAt] = stdout?.trim().split(/\s+/) ?? [];
    return state === "" || state.startsWith("Z") ? null : startedAt.join(" ");
  }
}

/** Makes the kernel end a helper when this process is killed with SIGKILL, if setpriv (util-linux) is installed. */
function endingWithThis(command, args) {
  return existsSync(setpriv) ? [setpriv, ["--pdeathsig=TERM", "--", command, ...args]] : [command, args];
}

function endOf(child) {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`));
  });
}

async function stopGroup({ child, ended, signal, stopMs }) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    sendSignal(-child.pid, "SIGKILL");
  }, stopMs);
  await ended;
  clearTimeout(timer);
}

/** Sends a signal to a process, or to a process group if the number is negative. */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just ended, leads no group, or belongs to another user.
  }
}

/** Some programs write the reason of a failure first, others last: shows both ends of an output. */
function quoteEnds(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length > shownHeadLines + shownTailLines)
    lines.splice(shownHeadLines, lines.length - shownHeadLines - shownTailLines, "…");
  return lines.length > 0 ? `:\n${lines.map((line) => `    ${line}`).join("\n")}` : ".";
}
