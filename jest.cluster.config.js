/** The tests that kill each part of a cluster in turn (npm run test:cluster). Own engines; a quarter of an hour. */
import base from "./jest.faults.config.js";

export default { ...base, testMatch: ["<rootDir>/test/cluster/**/*.test.ts"] };
