/** Which of several installed PostgreSQL starts. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();
const PROGRAM = `
  const { findBinaries } = await import("./scripts/engines/ferretdb.mjs");
  const [folder, version] = process.argv.slice(1);
  console.log(findBinaries(version, folder));`;

it.each([
  ["the one that made the data", ["15"], "15"],
  ["the newest without data", [], "17"],
  ["the newest where the one that made the data is gone", ["13"], "17"],
])("is %s", (_which, version, chosen) => {
  for (const installed of ["9", "15", "17"]) {
    const binaries = join(folder, installed, "bin");
    mkdirSync(binaries, { recursive: true });
    for (const name of ["initdb", "postgres"]) writeFileSync(join(binaries, name), "");
  }
  const args = ["--input-type=module", "-e", PROGRAM, folder, ...version];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stdout.trim()).toBe(join(folder, chosen, "bin"));
});
