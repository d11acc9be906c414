/** A run ends the processes of killed runs before it, and no others, also without /proc. */
import { afterEach, expect, it } from "@jest/globals";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

// macOS has no /proc.
const HIDE_PROC = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const hide = (call) => (path, ...rest) => {
    if (String(path).startsWith("/proc")) throw Object.assign(new Error("none"), { code: "ENOENT" });
    return call(path, ...rest);
  };
  fs.readFileSync = hide(fs.readFileSync);
  fs.readdirSync = hide(fs.readdirSync);
  syncBuiltinESMExports();`;

const cache = makeOwnFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const name of readdirSync(cache)) rmSync(join(cache, name), { recursive: true });
});

/** Runs a program, by default without /proc; returns what it has printed, as JSON. */
function run(program: string, preamble = HIDE_PROC): unknown {
  const env = { ...process.env, COMPANY_REGISTER_CACHE: cache };
  const { stdout, stderr } = runModule(`${preamble}\n${program}`, { env });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const CLEAN_UP = `
  const { cleanUpKilledRuns } = await import("./scripts/bootstrap/run-folder.mjs");
  await cleanUpKilledRuns(async () => {});
  console.log("true");`;

const identify = (pid: number | undefined) =>
  run(
    `const { identityOf, isAlive } = await import("./scripts/bootstrap/processes.mjs");
     const identity = identityOf(${pid});
     console.log(JSON.stringify({ ...identity, isAlive: isAlive(identity) }));`,
  ) as { pid: number; startedAt: string | null; isAlive: boolean };

/** A process that runs until it is ended. */
function startProcess(): ChildProcess {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
  children.push(child);
  return child;
}

it("a run ends the recorded process, not another one that may have got its pid", async () => {
  const [recorded, later, undated] = [startProcess(), startProcess(), startProcess()];
  const { pid } = recorded;
  const known = identify(pid);
  expect(known).toEqual({ pid, startedAt: expect.any(String), isAlive: true });
  const folder = join(cache, "runs", "demo-1-a");
  mkdirSync(folder, { recursive: true });
  const owner = { pid: spawnSync("true").pid, startedAt: null };
  const processes = [
    { pid, startedAt: known.startedAt },
    { pid: later.pid, startedAt: "Thu Jan  1 00:00:00 1970" },
    { pid: undated.pid, startedAt: null },
  ];
  writeFileSync(join(folder, "state.json"), JSON.stringify({ owner, processes }));
  run(CLEAN_UP);
  await sleep(100);
  expect([recorded, later, undated].map(({ signalCode }) => signalCode)).toEqual(["SIGTERM", null, null]);
});

it("a process that has ended counts as ended even without /proc", () => {
  expect(identify(spawnSync("true").pid)).toMatchObject({ startedAt: null, isAlive: false });
});

it("processes that a service has started end with it, however it ends", () => {
  const { isRunning } = run(
    `import { readFileSync } from "node:fs";
     const { identityOf, isAlive, startService } = await import("./scripts/bootstrap/processes.mjs");
     const logFile = ${JSON.stringify(join(cache, "service.log"))};
     const args = ["-c", "sleep 600 & echo $!; wait"];
     const service = startService({ name: "Launcher", command: "sh", args, cwd: "/", env: process.env, logFile });
     const wait = () => new Promise((resolve) => setTimeout(resolve, 300));
     await wait();
     const child = identityOf(Number(readFileSync(logFile, "utf8")));
     process.kill(service.pid, "SIGKILL");
     await service.exited;
     await wait();
     const isRunning = isAlive(child);
     if (isRunning) process.kill(child.pid);
     console.log(JSON.stringify({ isRunning }));`,
    "",
  ) as { isRunning: boolean };
  expect(isRunning).toBe(false);
});
