/** The folder of a run: its logs on a full disk or in a removed cache folder, and the end of a service. */
import { expect, it } from "@jest/globals";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const cache = makeOwnFolder();

/** Runs a program; returns what it prints. */
function runProgram(code: string): string {
  const env = { ...process.env, COMPANY_REGISTER_CACHE: cache };
  const { stdout, stderr } = runModule(code, { env });
  return stdout + stderr;
}

/** Runs code with `run`, a run folder whose log has its largest size; returns what it prints. */
function rotate(script: string): string {
  return runProgram(`
    import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
    const { RunFolder } = await import("./scripts/bootstrap/run-folder.mjs");
    const run = new RunFolder("test");
    const log = run.file("api.log");
    writeFileSync(log, Buffer.alloc(10_000_000));
    ${script}
    process.exit();`);
}

it("a log that has grown large is emptied even if it cannot be copied", () => {
  // A folder with the name of the copy makes copying fail, as a full disk does.
  const full = "mkdirSync(`${log}.1`); run.rotateLogs(); console.log(statSync(log).size);";
  expect(rotate(full)).toBe("0\n");
});

it("a run continues if its folder was removed", () => {
  const removed = 'rmSync(run.path, { recursive: true }); run.rotateLogs(); console.log("on");';
  expect(rotate(removed)).toBe("on\n");
});

it.each([
  [
    "and advises to start again if its data is kept",
    '"/tmp"',
    /^Redis ended unexpectedly with SIGKILL.*\n\nStart the demo again: its data is kept\.\n$/s,
  ],
  [
    "without that advice if its data is not kept",
    "undefined",
    /^Redis ended unexpectedly with SIGKILL(?!.*again)/s,
  ],
])("a run whose Redis was killed says so, %s", (_title, keptPath, message) => {
  const printed = runProgram(`
    const { RunFolder } = await import("./scripts/bootstrap/run-folder.mjs");
    const run = new RunFolder("test", ${keptPath});
    run.services.push({ name: "Redis", exited: Promise.resolve("SIGKILL"), logFile: run.file("redis.log") });
    await run.failWhenOneEnds().catch(({ message }) => console.log(message));
    process.exit();`);
  expect(printed).toMatch(message);
});
