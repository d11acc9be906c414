/** Starts the processes of a register, waits for what they print, and kills them. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../../../api/shared/settings/config.ts";

/** A process that was started. */
export interface Program {
  /** Resolves with the exit code when it has ended; null after a signal. */
  ended: Promise<number | null>;
  isRunning: () => boolean;
  /** Its output so far, of both streams. */
  readOutput: () => string;
  /** Resolves when it has printed these words `count` times; rejects if it ends before that, or after `deadlineMs`. */
  waitForLines: (words: string, count: number, deadlineMs: number) => Promise<void>;
  kill: (signal: NodeJS.Signals) => void;
  /** Closes both streams, like a terminal that is closed or a `tee` that ends. */
  stopReading: () => void;
}

// Makes the kernel kill the process when the test's process is killed; needs util-linux.
const SETPRIV = "/usr/bin/setpriv";
const ENDING_WITH_THIS = existsSync(SETPRIV) ? [SETPRIV, "--pdeathsig=KILL", "--"] : [];

/** Runs a process at the lowest priority, for tests in which one machine stands for several. */
export const YIELDING = ["/usr/bin/nice", "-n", "19"];

// A busy machine starts a process slowly.
const STARTED_MS = 180_000;

const running = new Set<Program>();
process.on("exit", () => {
  for (const program of running) program.kill("SIGKILL");
});

/** Starts a worker, and waits until it takes batches. `before` is a command to run it with, such as `nice`. */
export async function startWorker(
  build: string,
  config: Config,
  before: readonly string[] = [],
): Promise<Program> {
  const worker = start(join(build, "ingest/main.js"), [], { ...config, LOG_LEVEL: "info" }, before);
  await worker.waitForLines("taking batches", 1, STARTED_MS);
  return worker;
}

/** Starts an API on its PORT, and waits until it listens. Returns the port too, since PORT 0 means any free one. */
export async function startApi(build: string, config: Config): Promise<{ program: Program; port: number }> {
  const program = start(join(build, "api/main.js"), [], { ...config, LOG_LEVEL: "info" });
  await program.waitForLines('"msg":"listening"', 1, STARTED_MS);
  const [, port] = /"port":(\d+),"msg":"listening"/.exec(program.readOutput()) ?? [];
  return { program, port: Number(port) };
}

/** Starts a command. */
export function startCommand(build: string, config: Config, args: string[]): Program {
  return start(join(build, "scripts/cli.js"), args, config);
}

// Records what a program sends to MongoDB for the suite that starts it. Programs are one folder below the build.
const RECORDER = "../test/support/mongodb/each-process.js";
const RECORDER_VARIABLES = ["MONGODB_COMMANDS", "MONGODB_COMMANDS_SUITE"];

function start(file: string, args: string[], config: Config, before: readonly string[] = []): Program {
  const isRecorded = process.env.MONGODB_COMMANDS !== undefined;
  const record = isRecorded ? RECORDER_VARIABLES.map((name) => [name, process.env[name]]) : [];
  const settings = Object.entries(config).map(([name, value]) => [name, String(value)]);
  const [command = "", ...given] = [
    ...ENDING_WITH_THIS,
    ...before,
    process.execPath,
    ...(isRecorded ? ["--import", join(dirname(file), RECORDER)] : []),
    file,
    ...args,
  ];
  const child = spawn(command, given, {
    env: Object.fromEntries([...settings, ...record]) as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let onOutput: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      onOutput();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const program: Program = {
    ended,
    isRunning: () => running.has(program),
    readOutput: () => output,
    waitForLines: (words, count, deadlineMs) =>
      new Promise((resolve, reject) => {
        const giveUp = (why: string) => reject(new Error(`${why} before "${words}" x ${count}:\n${output}`));
        const timer = setTimeout(() => giveUp(`${deadlineMs} ms passed`), deadlineMs);
        onOutput = () => {
          if (output.split(words).length - 1 < count) return;
          clearTimeout(timer);
          onOutput = () => undefined;
          resolve();
        };
        void ended.then((code) => {
          clearTimeout(timer);
          giveUp(`it ended with ${code}`);
        });
        onOutput();
      }),
    kill: (signal) => void child.kill(signal),
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
  running.add(program);
  void ended.then(() => running.delete(program));
  return program;
}
