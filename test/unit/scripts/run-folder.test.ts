/** The folder of a run: what a full disk, or a removed cache folder, does to its logs. */
import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";
import { makeOwnFolder } from "../../support/own-folder.ts";

const cache = makeOwnFolder();

/** Runs this with `run`, a run folder whose log is as large as one becomes; returns what it prints. */
function rotate(script: string): string {
  const code = `
    import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
    const { RunFolder } = await import("./scripts/bootstrap/run-folder.mjs");
    const run = new RunFolder("test");
    const log = run.file("api.log");
    writeFileSync(log, Buffer.alloc(10_000_000));
    ${script}
    process.exit();`;
  const env = { ...process.env, COMPANY_REGISTER_CACHE: cache };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env,
  });
  return stdout + stderr;
}

it("a log that cannot be copied is started again nevertheless", () => {
  // A folder of that name fails the copy as a full disk does.
  const full = "mkdirSync(`${log}.1`); run.rotateLogs(); console.log(statSync(log).size);";
  expect(rotate(full)).toBe("0\n");
});

it("a run goes on where its folder was removed", () => {
  const removed = 'rmSync(run.path, { recursive: true }); run.rotateLogs(); console.log("on");';
  expect(rotate(removed)).toBe("on\n");
});
