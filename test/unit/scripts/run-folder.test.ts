/** What a run says of the end of a service. */
import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";
import { makeOwnFolder } from "../../support/own-folder.ts";

const cache = makeOwnFolder();

/** Runs a program; returns what it prints. */
function runProgram(code: string): string {
  const env = { ...process.env, COMPANY_REGISTER_CACHE: cache };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env,
  });
  return stdout + stderr;
}

it.each([
  [
    "kept",
    '"/tmp"',
    /^Redis ended unexpectedly with SIGKILL.*\n\nStart the demo again: its data is kept\.\n$/s,
  ],
  ["not kept", "undefined", /^Redis ended unexpectedly with SIGKILL(?!.*again)/s],
])("a run whose Redis was killed says what to do where its data is %s", (_what, kept, said) => {
  const printed = runProgram(`
    const { RunFolder } = await import("./scripts/bootstrap/run-folder.mjs");
    const run = new RunFolder("test", ${kept});
    run.services.push({ name: "Redis", exited: Promise.resolve("SIGKILL"), logFile: run.file("redis.log") });
    await run.failWhenOneEnds().catch(({ message }) => console.log(message));
    process.exit();`);
  expect(printed).toMatch(said);
});
