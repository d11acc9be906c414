/**
 * Runs before each suite of tests (jest.config.js): the suite fails when the service, or a program that the suite starts, sends
 * MongoDB what needs.ts does not list. The suite that ends last of all fails when something on the list was never sent.
 */
import { relative } from "node:path";
import { afterAll, expect } from "@jest/globals";
import { ENGINE_SUITES, readLines, record, writeLine } from "./recorder.ts";

const file = process.env.MONGODB_COMMANDS;
const suite = relative(process.cwd(), expect.getState().testPath ?? "");
// For the programs that it starts.
process.env.MONGODB_COMMANDS_SUITE = suite;
const sent = record(suite, file);

afterAll(async () => {
  if (file !== undefined) writeLine(file, { suite });
  // A program that a suite starts records for itself, but only suites of the engines start any, and the last of them all counts.
  const isOfRun = file !== undefined && suite.startsWith(ENGINE_SUITES);
  if (sent.length === 0 && !isOfRun) return;
  const { describeRun } = await import("./check.ts");
  expect(describeRun(suite, file === undefined ? sent : readLines(file))).toEqual([]);
});
