/** Runs `npm run` commands in processes of their own, as an operator types them, and reads what they show. */
import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "./wait-until.ts";

/** A command that was typed. */
export interface Typed {
  /** Resolves with the exit code; null after a signal. */
  ended: Promise<number | null>;
  /** What it has shown so far, with both streams in order. */
  read: () => string;
  /**
   * The same without progress, JSON and npm's own lines, and with fixed names for paths, ids, moments and durations.
   */
  readPlain: () => string;
  /** Resolves when these words have been shown. */
  waitFor: (words: string) => Promise<void>;
  /** Presses Ctrl-C: every process that the command has started in the terminal gets the signal. */
  interrupt: () => void;
}

/** The port numbers to show in place of the real ones, by real number. */
type Ports = Record<string, string>;

/** A terminal in this checkout, with a cache folder of its own to keep other demos out of the way. */
export interface Operator {
  /** Folder for everything that its commands write. */
  folder: string;
  /** Types `npm run SCRIPT -- ARGS`, with `settings` as environment variables. */
  type: (script: "cli" | "demo", args: string[], settings?: Record<string, string>) => Typed;
  /** Kills the worker of the demo on this port. */
  killWorker: (port: string) => void;
  close: () => Promise<void>;
}

const SHOWN_MS = 600_000;
// Left out: lines of npm, steps of a start, parts of JSON answers, and lines that only a slow machine shows.
const UNREAD =
  /^(> |npm (warn|notice|error) |Engines: |Using the demo on port \d+\.$| {2}[…✓] | {3,}(["{}[\]]|… \d)|(load|check|compar|updat|remov|look|wait)ing |batches are waiting|all rows are written;)/;
const NAMES: [RegExp, string][] = [
  [/\d{8}T\d{9}-[0-9a-f]{4}/g, "LOAD"],
  [/(TODAY|\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d\.\d{3}Z/g, "MOMENT"],
  [/ in [\d.]+ (s|min)( \([\d,]+ rows\/s\))?/g, " in TIME"],
  [/(runs\/demo)-[\w-]+/g, "$1"],
  [/(demos\/\d+)-\w+/g, "$1"],
];
// Variables that this terminal may have, but a new operator's does not.
const OTHERS = /^(ELASTICSEARCH_URL|MONGODB_URL|REDIS_URL|PORT|npm_.*)$/;

export function openOperator(ports: Ports): Operator {
  const folder = mkdtempSync(join(tmpdir(), "company-register-operator-"));
  // The engines run as another user, who has folders in here.
  chmodSync(folder, 0o755);
  const cache = join(folder, "cache");
  shareDownloads(cache);
  const own = Object.entries(process.env).filter(([name]) => !OTHERS.test(name));
  const running = new Set<Typed>();
  // So that a test run that is stopped leaves no demo behind.
  process.on("exit", () => {
    for (const typed of running) typed.interrupt();
  });
  let count = 0;
  const type: Operator["type"] = (script, args, settings = {}) => {
    const file = join(folder, `shown-${(count += 1)}.txt`);
    const shown = openSync(file, "w");
    const child = spawn("npm", ["run", script, "--", ...args], {
      env: { ...Object.fromEntries(own), COMPANY_REGISTER_CACHE: cache, ...settings },
      // A process group of its own, as a shell gives each command.
      detached: true,
      stdio: ["ignore", shown, shown],
    });
    closeSync(shown);
    const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
    const read = () => readFileSync(file, "utf8");
    const names: [RegExp | string, string][] = [
      [folder, "FOLDER"],
      [process.cwd(), "HERE"],
      ...Object.entries(ports),
      [new Date().toISOString().slice(0, 10), "TODAY"],
      ...NAMES,
    ];
    const typed: Typed = {
      ended,
      read,
      readPlain: () => {
        const lines = read()
          .split("\n")
          .filter((line) => line !== "" && !UNREAD.test(line));
        return names.reduce((text, [found, name]) => text.replaceAll(found, name), lines.join("\n"));
      },
      waitFor: async (words) => {
        const isOver = () => read().includes(words) || !running.has(typed);
        await waitUntil(isOver, words, SHOWN_MS);
        if (!read().includes(words)) throw new Error(`it ended before it showed "${words}":\n${read()}`);
      },
      interrupt: () => process.kill(-(child.pid ?? 0), "SIGINT"),
    };
    running.add(typed);
    void ended.then(() => running.delete(typed));
    return typed;
  };
  const killWorker = (port: string) => {
    const runs = join(cache, "runs");
    for (const run of readdirSync(runs)) {
      // The cast: a demo writes its state there.
      const state = JSON.parse(readFileSync(join(runs, run, "state.json"), "utf8")) as DemoState;
      if (String(state.port) !== port) continue;
      const worker = state.processes.find(({ pid }) => isWorker(pid));
      if (worker) process.kill(worker.pid, "SIGKILL");
    }
  };
  const close = async () => {
    for (const typed of running) typed.interrupt();
    await Promise.all([...running].map(({ ended }) => ended));
    rmSync(folder, { recursive: true });
  };
  return { folder, type, killWorker, close };
}

interface DemoState {
  port?: number;
  processes: { pid: number }[];
}

function isWorker(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, "utf8").includes("dist/ingest/main.js");
}

/** Finds a port that is free now. */
export async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

/**
 * Links the engines of the usual cache, so that they are not downloaded again; each cache has its own runs and demos.
 */
function shareDownloads(cache: string): void {
  const usual =
    process.getuid?.() === 0 ? "/var/cache/company-register" : join(homedir(), ".cache/company-register");
  const shared = process.env.COMPANY_REGISTER_CACHE ?? usual;
  mkdirSync(cache);
  for (const name of existsSync(shared) ? readdirSync(shared) : [])
    if (!["runs", "demos"].includes(name)) symlinkSync(join(shared, name), join(cache, name));
}
