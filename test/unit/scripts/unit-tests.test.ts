import { resolve } from "node:path";
import { expect, it } from "@jest/globals";

const { areUnitTests } = (await import(resolve("scripts/bootstrap/with-engines.mjs"))) as {
  areUnitTests: (args: readonly string[]) => boolean;
};

it.each([
  [["unit/documentation"], true],
  [["test/unit"], true],
  [["./test/unit/http", "unit/docs", "--silent"], true],
  [[], false],
  [["--silent"], false],
  [["charges"], false],
  [["units"], false],
  [["unit/docs", "engine/verify"], false],
  // The word after an option may be its value, or another pattern.
  [["unit/docs", "-t", "links"], false],
  [["-t", "unit"], false],
  [["--testPathIgnorePatterns", "unit"], false],
])("npm test -- %p starts no engines: %p", (args, expected) => {
  expect(areUnitTests(args)).toBe(expected);
});
