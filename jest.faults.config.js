/** The full tests of failing engines and processes (npm run test:faults). Own engines; an hour and a quarter. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/faults/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  // Each suite loads the modules anew: they remember that an earlier suite stopped everything.
  testEnvironment: "node",
  runtime: "jest-runtime",
};
