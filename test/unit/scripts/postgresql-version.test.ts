/** Which of several installed PostgreSQL starts. */
import { expect, it } from "@jest/globals";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const folder = makeOwnFolder();
for (const installed of ["9", "15", "17"]) {
  const binaries = join(folder, installed, "bin");
  mkdirSync(binaries, { recursive: true });
  for (const name of ["initdb", "postgres"]) writeFileSync(join(binaries, name), "");
}

const PROGRAM = `
  const { findBinaries } = await import("./scripts/engines/ferretdb.mjs");
  const [folder, version] = process.argv.slice(1);
  console.log(findBinaries(version, folder));`;

it.each([
  ["the one that made the data", ["15"], "15"],
  ["the newest if there is no data", [], "17"],
  ["the newest if the one that made the data is no longer installed", ["13"], "17"],
])("the PostgreSQL that starts is %s", (_title, version, chosen) => {
  const { stdout } = runModule(PROGRAM, { args: [folder, ...version] });
  expect(stdout.trim()).toBe(join(folder, chosen, "bin"));
});
