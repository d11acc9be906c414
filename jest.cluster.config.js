/** A cluster of stores and processes of which each part is lost once (npm run test:cluster): engines of its own, a quarter of an hour. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/cluster/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  // Each suite ends all that it has started, which the modules then remember: it has modules of its own.
  testEnvironment: "node",
  runtime: "jest-runtime",
};
