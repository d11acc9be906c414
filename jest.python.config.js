/** The tests with programs in Python (npm run test:python): other people's API clients, and a fuzzer. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/python/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
};
