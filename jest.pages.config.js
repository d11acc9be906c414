/** The tests of the pages in a browser (npm run test:pages): with and without JavaScript, keyboard, accessibility. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/pages/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  // A test visits a dozen pages; a busy machine shows one a second.
  testTimeout: 90_000,
};
