/** What a command shows of its own preparation without a terminal. */
import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";

/** Runs a step in a process of its own; returns what that has shown. */
function follow(work: string, options: string): string {
  const program =
    'import { follow } from "./scripts/bootstrap/progress.mjs";' +
    `await follow("npm packages", ${work}, ${options}).catch(() => undefined);`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }).stderr;
}

const WORK = "async () => {}";
const FAILING = 'async () => { throw new Error("no network"); }';

it("a step shows that it is done", () => {
  expect(follow(WORK, "{}")).toMatch(/^ {2}✓ npm packages \(0\.\d s\)\n$/);
});

it("a quiet step shows nothing unless it fails", () => {
  expect(follow(WORK, "{ isQuiet: true }")).toBe("");
  expect(follow(FAILING, "{ isQuiet: true }")).toMatch(/^ {2}✗ npm packages \(0\.\d s\)\n$/);
});
