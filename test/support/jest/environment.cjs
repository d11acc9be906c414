/** Owns the globals of the tests: those of a Jest worker, which its suites use one after the other. */
"use strict";
const { TestEnvironment } = require("jest-environment-node");

let kept;

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    if (kept) return kept;
    super(config, context);
    const { watch, watchAll } = config.globalConfig;
    // Watched files change, and modules with them.
    if (!watch && !watchAll) kept = this;
  }

  // The next suite needs what is kept; it ends with the worker.
  async teardown() {
    if (this !== kept) await super.teardown();
  }
};
