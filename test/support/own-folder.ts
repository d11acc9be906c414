/** Owns folders for the files that a test writes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";

/** A new folder, which is deleted behind the tests of the file: for its head. */
export function makeOwnFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "company-register-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
