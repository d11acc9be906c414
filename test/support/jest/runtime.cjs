/**
 * Owns the modules of the tests (jest.config.js): what the service consists of is loaded once for all suites of a worker, where Jest
 * loads it anew for each, which takes longer than most suites run. Importing a module of the service starts nothing, so that no suite
 * can tell. What is below test, and Jest's own state, is new for each suite.
 */
"use strict";
const { pathToFileURL } = require("node:url");
const path = require("node:path");
const { default: Runtime } = require("jest-runtime");

const TESTS = pathToFileURL(path.join(module.path, "../..")).href;
// Jest keeps these on the global object: the hooks of a suite, and the timeout that it has set.
const STATE_OF_SUITE = ["EVENT_HANDLERS", "TEST_TIMEOUT_SYMBOL"].map((name) => Symbol.for(name));

let kept;

module.exports = {
  __esModule: true,
  default: class extends Runtime {
    constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
      if (kept) {
        kept.beginSuite(testPath);
        return kept;
      }
      super(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig);
      // Watched files change.
      if (!globalConfig.watch && !globalConfig.watchAll) kept = this;
    }

    beginSuite(testPath) {
      this.testState.state = "loading";
      for (const part of [this.esmLoader, this.executor]) part.testPath = testPath;
      this._testPath = testPath;
      this.jestGlobals.clearJestObjectCache();
      for (const name of STATE_OF_SUITE) delete this._environment.global[name];
      const { internalModuleRegistry, esModuleRegistry } = this.registries;
      forget(internalModuleRegistry, (path) => path.includes("/jest-circus/"));
      forget(esModuleRegistry, (key) => key.startsWith(TESTS) || key.startsWith("@jest/globals/"));
      // What a suite that could not be loaded has left half loaded.
      forget(esModuleRegistry, (_key, { status }) => status !== "evaluated");
    }

    teardown() {
      if (this === kept) this.restoreAllMocks();
      else super.teardown();
    }
  },
};

function forget(registry, isOfSuite) {
  for (const [key, module] of registry) if (isOfSuite(key, module)) registry.delete(key);
}
