/** The pages in a browser (npm run test:pages): what people do, with and without JavaScript, and who cannot see or point. */
import base from "./jest.config.js";

export default {
  ...base,
  testMatch: ["<rootDir>/test/pages/**/*.test.ts"],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  // A walk is a dozen pages, of which a busy machine shows one a second.
  testTimeout: 90_000,
};
