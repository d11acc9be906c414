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
  testTimeout: 30_000,
  // Two cores: engines take one, tests the other.
  maxWorkers: 2,
  // Modules of finished suites are never freed: without this a worker ends at 3 GB and collects garbage half of its time.
  workerIdleMemoryLimit: "1GB",
};
