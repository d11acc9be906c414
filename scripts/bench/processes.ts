/** Starts, watches and stops the register's own processes that are measured. */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../api/shared/settings/config.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { PartContext } from "./define-part.ts";

const WATCH_MS = 100;
const STOP_MS = 15_000;
const SHOWN_LOG_LINES = 15;

/** A process that was started. */
export interface Started {
  /** Resolves with the exit code when it has ended; null after a signal. */
  ended: Promise<number | null>;
  /** Its peak memory so far, in bytes; undefined if the system does not tell. */
  peakBytes: () => number | undefined;
  /** Its resident memory now, in bytes; undefined if the system does not tell. */
  residentBytes: () => number | undefined;
  /** Its processor time so far, in steps of 10 ms; undefined if the system does not tell. */
  cpuMs: () => number | undefined;
  /** Its output so far. */
  readLog: () => string;
  stop: () => Promise<void>;
}

/** What to start. */
interface ToStart {
  /** File of the build, from its root: `api/main.js`. */
  entry: string;
  args?: string[];
  config: Config;
  /** File that takes its output. */
  logFile: string;
}

/** Starts a process of this build with only the given settings as its environment. */
export function startProcess({ entry, args = [], config, logFile }: ToStart): Started {
  const build = join(import.meta.dirname, "../..");
  const settings = Object.entries(config).map(([name, value]) => [name, String(value)]);
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [join(build, entry), ...args], {
    env: Object.fromEntries(settings) as NodeJS.ProcessEnv,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let peak: number | undefined;
  let cpuMs: number | undefined;
  const watchPeak = () => (peak = readMemory(child.pid, "VmHWM") ?? peak);
  const watchCpu = () => (cpuMs = readCpuMs(child.pid) ?? cpuMs);
  const timer = setInterval(() => [watchPeak(), watchCpu()], WATCH_MS);
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code));
  });
  void ended.then(() => clearInterval(timer));
  return {
    ended,
    peakBytes: watchPeak,
    residentBytes: () => readMemory(child.pid, "VmRSS"),
    cpuMs: watchCpu,
    readLog: () => readFileSync(logFile, "utf8"),
    stop: async () => {
      child.kill("SIGTERM");
      const last = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(last);
    },
  };
}

/**
 * Waits until the log of a process matches, and returns the match. Throws CommandError, with the end of the log, if the
 * process ends or the deadline passes.
 */
export async function waitForLog(
  started: Started,
  pattern: RegExp,
  deadlineMs: number,
): Promise<RegExpExecArray> {
  let isEnded = false;
  void started.ended.then(() => (isEnded = true));
  for (const until = performance.now() + deadlineMs; ;) {
    const found = pattern.exec(started.readLog());
    if (found) return found;
    if (isEnded || performance.now() > until)
      throw new CommandError(`the process did not start; the end of its log:\n${endOfLog(started)}`);
    await sleep(50);
  }
}

/**
 * Runs a process to its end; `ms` is the time from its start. Throws CommandError, with the end of its log, unless its
 * exit code is 0. `title` names it for people: `the load`.
 */
export async function runToEnd(
  context: PartContext,
  title: string,
  toStart: ToStart,
): Promise<Started & { ms: number }> {
  const startedAt = performance.now();
  const started = startProcess(toStart);
  context.onEnd(title, started.stop);
  const code = await started.ended;
  const ms = performance.now() - startedAt;
  if (code !== 0) throw new CommandError(`${title} ended with code ${code}:\n${endOfLog(started)}`);
  return { ...started, ms };
}

/** The last lines of the output of a process. */
function endOfLog(started: Started): string {
  return started.readLog().trimEnd().split("\n").slice(-SHOWN_LOG_LINES).join("\n");
}

/** Current (VmRSS) or peak memory (VmHWM). The peak never falls, so reading it now and then is enough. */
function readMemory(pid: number | undefined, name: "VmRSS" | "VmHWM"): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
    return kilobytes ? Number(kilobytes) * 1024 : undefined;
  } catch {
    // The process has just ended, or the system has no /proc.
    return undefined;
  }
}

// Linux reports processor time in hundredths of a second.
const TICK_MS = 10;

/** User and system time: the 12th and 13th fields after the name, which is in brackets and may contain spaces. */
function readCpuMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    // As above.
    return undefined;
  }
}
