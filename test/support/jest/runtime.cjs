/**
 * The module loader of the tests (jest.config.js). It loads the service's modules once for all suites of a worker. Jest
 * would load them again for each suite, which takes longer than most suites run. Suites cannot notice, because
 * importing a module of the service starts nothing. Modules in `test`, and Jest's own state, are new for each suite.
 */
"use strict";
const { pathToFileURL } = require("node:url");
const path = require("node:path");
const { default: Runtime } = require("jest-runtime");

const TESTS = pathToFileURL(path.join(module.path, "../..")).href;
// State of a suite that Jest keeps on the global object: its hooks and its timeout.
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
      // In watch mode files change.
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
      // Modules that a suite with a failed import has left half loaded.
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
