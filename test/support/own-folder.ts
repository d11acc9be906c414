/** Makes folders for the files that a test writes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";

/** Makes a folder that is deleted after the tests of the file; call it at the top of the file. */
export function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "company-register-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
