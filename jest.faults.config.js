/** The faults of engines and processes in their full form (npm run test:faults): engines of their own, an hour and a quarter. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/faults/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  // Each suite ends all that it has started, which the modules then remember: it has modules of its own.
  testEnvironment: "node",
  runtime: "jest-runtime",
};
