/** Jest runs the TypeScript sources as ES modules through SWC; no build is needed. */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // These need a Python and are run by npm run test:python.
  testPathIgnorePatterns: ["<rootDir>/test/python/"],
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
};
