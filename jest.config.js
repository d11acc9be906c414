/** Compiles a file with SWC. Only .tsx files are read as JSX, which takes the type `<T>` of a .ts file for a tag. */
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
  // Not these: they need Python (npm run test:python) or a browser (npm run test:pages), or stop their engines
  // (npm run test:faults and npm run test:cluster).
  testPathIgnorePatterns: ["python", "pages", "faults", "cluster"].map((name) => `<rootDir>/test/${name}/`),
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: { "^.+\\.ts$": compile(false), "^.+\\.tsx$": compile(true) },
  // Checks that the service sends MongoDB only commands and options listed as needed.
  setupFilesAfterEnv: ["<rootDir>/test/support/mongodb/each-suite.ts"],
  // A test that takes this long has hung: the slowest takes half as long on a slow, busy machine.
  testTimeout: 120_000,
  // A Jest worker loads the service once for all its suites, because loading it takes longer than most suites run.
  testEnvironment: "<rootDir>/test/support/jest/environment.cjs",
  runtime: "<rootDir>/test/support/jest/runtime.cjs",
  // Three workers for two cores, because suites mostly wait for the engines.
  maxWorkers: 3,
};
