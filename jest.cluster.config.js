/** A cluster of stores and processes of which each part is lost once (npm run test:cluster): engines of its own, a quarter of an hour. */
import base from "./jest.faults.config.js";

export default { ...base, testMatch: ["<rootDir>/test/cluster/**/*.test.ts"] };
