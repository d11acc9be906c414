/** What a command shows of its own preparation without a terminal. */
import { expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.ts";

/** Runs a step, and returns what it prints. */
function follow(work: string, options: string): string {
  const program =
    'import { follow } from "./scripts/bootstrap/progress.mjs";' +
    `await follow("npm packages", ${work}, ${options}).catch(() => undefined);`;
  return runModule(program).stderr;
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
