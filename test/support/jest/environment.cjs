/** The test environment of a Jest worker. It keeps one set of globals for all suites that the worker runs. */
"use strict";
const { TestEnvironment } = require("jest-environment-node");

let kept;

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    if (kept) return kept;
    super(config, context);
    const { watch, watchAll } = config.globalConfig;
    // In watch mode files change, so each suite needs its modules anew.
    if (!watch && !watchAll) kept = this;
  }

  // The kept environment ends with the worker, because the next suite needs it.
  async teardown() {
    if (this !== kept) await super.teardown();
  }
};
