/** The password that sudo asks for while a command prepares itself: nothing is drawn over the question. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();

// As sudo does: it asks at the terminal, and remembers the answer for a while.
const SUDO = `#!/bin/sh
[ -e ${folder}/answered ] && exec sleep 1
printf 'password: ' >/dev/tty
sleep 1
printf 'entered\\n' >/dev/tty
touch ${folder}/answered
`;

const PROGRAM = `
  process.getuid = () => 1000;
  const { follow } = await import("./scripts/bootstrap/progress.mjs");
  const { ensureCommand } = await import("./scripts/engines/debian.mjs");
  await follow("engines", () => ensureCommand("no-such-command", "no-such-package")).catch(() => {});`;

// Elsewhere there is no apt-get, and another \`script\`.
(process.platform === "linux" ? it : it.skip)("nothing is drawn until it is entered", () => {
  writeFileSync(join(folder, "sudo"), SUDO, { mode: 0o755 });
  writeFileSync(join(folder, "program.mjs"), PROGRAM.replaceAll("./scripts", join(process.cwd(), "scripts")));
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, COMPANY_REGISTER_CACHE: folder };
  const command = `${process.execPath} ${join(folder, "program.mjs")}`;
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", env });
  const [before = "", after = ""] = stdout.split("password: ");
  expect(before).toContain("installing no-such-package from Debian");
  expect(after).toMatch(/^entered\r\n/);
  // It is drawn again during the installation itself.
  expect(after).toContain("\x1b[K  … engines");
});
