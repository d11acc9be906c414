/** Owns what all tests of a file share: opened before the first of them, closed behind the last. */
import { afterAll, beforeAll } from "@jest/globals";

/** Gives what `open` opens, for the head of a file: it has its members once the hooks and tests behind it run. */
export function forAllTests<Opened extends { close: () => Promise<unknown> }>(
  open: () => Promise<Opened>,
): Opened {
  // The cast: nothing reads it before it is opened.
  const opened = {} as Opened;
  beforeAll(async () => {
    Object.assign(opened, await open());
  });
  afterAll(() => opened.close());
  return opened;
}
