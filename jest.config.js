/** Jest runs the TypeScript sources as ES modules through SWC; no build is needed. */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // These need a Python (npm run test:python), or stop their engines (npm run test:faults).
  testPathIgnorePatterns: ["<rootDir>/test/python/", "<rootDir>/test/faults/"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2022",
          parser: { syntax: "typescript" },
          experimental: { keepImportAttributes: true },
        },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
  testTimeout: 30_000,
  // Two cores: engines take one, tests the other.
  maxWorkers: 2,
  // Modules of finished suites are never freed: without this a worker ends at 3 GB and collects garbage half of its time.
  workerIdleMemoryLimit: "1GB",
};
