/** The tests with programs in Python (npm run test:python): clients of others, and the fuzzer. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/python/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
};
