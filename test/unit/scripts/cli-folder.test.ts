/** The folder in which `npm run cli` looks for its files. */
import { expect, it } from "@jest/globals";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const folder = makeOwnFolder();
writeFileSync(join(folder, "x.csv"), "rows of mine\n");
chmodSync(folder, 0o755);
mkdirSync(join(folder, "locked"), { mode: 0o600 });
// Root may enter any folder.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

// It starts in the checkout, because npm starts scripts in the folder of package.json.
const PROGRAM = `
  const { folderOfPerson } = await import("./scripts/bootstrap/cli.mjs");
  const { runInForeground } = await import("./scripts/bootstrap/processes.mjs");
  const cwd = folderOfPerson(process.env);
  const script = "console.log(require('fs').existsSync('x.csv'), require('fs').existsSync('package.json'))";
  await runInForeground(process.execPath, ["-e", script], { env: process.env, cwd });`;

it.each([
  ["in the folder where the user called npm", "cli", folder, "true false"],
  ["in the checkout if that folder was deleted", "cli", join(folder, "gone"), "false true"],
  ["in the checkout if that folder may not be entered", "cli", join(folder, "locked"), "false true"],
  ["in its working folder if it was not started by `npm run cli`", "", folder, "false true"],
])("a command looks for files %s", (_title, npm_lifecycle_event, INIT_CWD, found) => {
  const env = { PATH: process.env.PATH, npm_lifecycle_event, INIT_CWD };
  expect(runModule(PROGRAM, { env, ...user }).stdout.trim()).toBe(found);
});

it("a command that cannot be started fails with the reason", () => {
  const program = `
    const { runInForeground } = await import("./scripts/bootstrap/processes.mjs");
    const cwd = ${JSON.stringify(join(folder, "gone"))};
    await runInForeground("echo", [], { cwd }).catch((error) => console.log(error.name, error.message));`;
  expect(runModule(program).stdout).toMatch(/^Error echo could not be started: .*ENOENT/);
});
