/** Opens something before all tests of a file, and closes it after them. */
import { afterAll, beforeAll } from "@jest/globals";

/**
 * Call it at the top of a file. The returned object is empty until `open` has run, before later hooks and the tests.
 */
export function forAllTests<Opened extends { close: () => Promise<unknown> }>(
  open: () => Promise<Opened>,
): Opened {
  // The cast: nothing reads it before it is complete.
  const opened = {} as Opened;
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => opened.close());
  return opened;
}
