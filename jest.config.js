/** How SWC reads a file: pages are TypeScript with JSX, which a plain file's `<T>` would be mistaken for. */
const compile = (jsx) => [
  "@swc/jest",
  {
    jsc: {
      target: "es2022",
      parser: { syntax: "typescript", tsx: jsx },
      transform: { react: { runtime: "automatic", importSource: "hono/jsx" } },
      experimental: { keepImportAttributes: true },
    },
    module: { type: "es6" },
    sourceMaps: "inline",
  },
];

/** Jest runs the TypeScript sources as ES modules through SWC; no build is needed. */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // These need a Python (npm run test:python) or a browser (npm run test:pages), or stop their engines (npm run test:faults
  // and npm run test:cluster).
  testPathIgnorePatterns: ["python", "pages", "faults", "cluster"].map((name) => `<rootDir>/test/${name}/`),
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: { "^.+\\.ts$": compile(false), "^.+\\.tsx$": compile(true) },
  // Compares what the service sends MongoDB with what it is known to need.
  setupFilesAfterEnv: ["<rootDir>/test/support/mongodb/each-suite.ts"],
  // A test that waits this long has hung: the slowest takes half of it where a slow machine does much else.
  testTimeout: 120_000,
  // A worker loads the service once for all its suites: to load it takes longer than most suites run.
  testEnvironment: "<rootDir>/test/support/jest/environment.cjs",
  runtime: "<rootDir>/test/support/jest/runtime.cjs",
  // Of two cores: suites wait for engines more than they compute.
  maxWorkers: 3,
};
