/** The folder in which `npm run cli` looks for its files. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();
writeFileSync(join(folder, "x.csv"), "rows of mine\n");
chmodSync(folder, 0o755);
mkdirSync(join(folder, "locked"), { mode: 0o600 });
// Root may enter any folder.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

// What npm does: it starts scripts in the folder of package.json.
const PROGRAM = `
  const { folderOfPerson } = await import("./scripts/bootstrap/cli.mjs");
  const { runInForeground } = await import("./scripts/bootstrap/processes.mjs");
  const cwd = folderOfPerson(process.env);
  const script = "console.log(require('fs').existsSync('x.csv'), require('fs').existsSync('package.json'))";
  await runInForeground(process.execPath, ["-e", script], { env: process.env, cwd });`;

it.each([
  ["where the person stands", "cli", folder, "true false"],
  ["in the checkout where the folder is gone", "cli", join(folder, "gone"), "false true"],
  ["in the checkout where the folder may not be entered", "cli", join(folder, "locked"), "false true"],
  ["where it was started where no npm did", "", folder, "false true"],
])("it looks %s", (_where, npm_lifecycle_event, INIT_CWD, found) => {
  const env = { PATH: process.env.PATH, npm_lifecycle_event, INIT_CWD };
  const args = ["--input-type=module", "-e", PROGRAM];
  expect(spawnSync(process.execPath, args, { encoding: "utf8", env, ...user }).stdout.trim()).toBe(found);
});

it("says why a command cannot be started", () => {
  const program = `
    const { runInForeground } = await import("./scripts/bootstrap/processes.mjs");
    const cwd = ${JSON.stringify(join(folder, "gone"))};
    await runInForeground("echo", [], { cwd }).catch((error) => console.log(error.name, error.message));`;
  const args = ["--input-type=module", "-e", program];
  expect(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout).toMatch(
    /^Error echo could not be started: .*ENOENT/,
  );
});
