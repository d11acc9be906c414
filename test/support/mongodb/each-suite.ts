/**
 * Runs before each suite (jest.config.js). A suite fails if the service, or a program that the suite starts, sends
 * MongoDB something that needs.ts does not list. The last suite of a run fails if something listed was never sent.
 */
import { relative } from "node:path";
import { afterAll, expect } from "@jest/globals";
import { ENGINE_SUITES, readLines, record, writeLine } from "./recorder.ts";

const file = process.env.MONGODB_COMMANDS;
const suite = relative(process.cwd(), expect.getState().testPath ?? "");
// For the programs that the suite starts.
process.env.MONGODB_COMMANDS_SUITE = suite;
const sent = record(suite, file);

afterAll(async () => {
  if (file !== undefined) writeLine(file, { suite });
  // Programs record into the file themselves. Only engine suites start any, and the last engine suite checks them all.
  const isOfRun = file !== undefined && suite.startsWith(ENGINE_SUITES);
  if (sent.length === 0 && !isOfRun) return;
  const { describeRun } = await import("./check.ts");
  expect(describeRun(suite, file === undefined ? sent : readLines(file))).toEqual([]);
});
