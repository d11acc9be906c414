/** sudo can ask for a password while a command prepares itself; no progress may be drawn over the question. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";

const root = makeOwnFolder();

// A stand-in for sudo: it asks at the terminal unless -n forbids that, and its rules allow no `--version`.
const sudoIn = (folder: string, remembers: boolean) => `#!/bin/sh
[ -e ${folder}/answered ] && exec sleep 1
[ "$1" = -n ] && echo 'sudo: a password is required' >&2 && exit 1
printf 'password: ' >/dev/tty
sleep 1
printf 'entered\\n' >/dev/tty
case "$*" in *--version*) echo 'sudo: not allowed' >&2; exit 1;; esac
${remembers ? `touch ${folder}/answered` : ""}
`;

const PROGRAM = `
  process.getuid = () => 1000;
  const { follow } = await import("./scripts/bootstrap/progress.mjs");
  const { ensureCommand } = await import("./scripts/engines/debian.mjs");
  await follow("engines", () => ensureCommand("no-such-command", "no-such-package")).catch(({ message }) =>
    console.log(message));`;

/** What is on the terminal before the first question, and from each question on. */
function runWithSudo(remembers: boolean): string[] {
  const folder = join(root, String(remembers));
  mkdirSync(folder);
  writeFileSync(join(folder, "sudo"), sudoIn(folder, remembers), { mode: 0o755 });
  writeFileSync(join(folder, "program.mjs"), PROGRAM.replaceAll("./scripts", join(process.cwd(), "scripts")));
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, COMPANY_REGISTER_CACHE: folder };
  const command = `${process.execPath} ${join(folder, "program.mjs")}`;
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", env });
  expect(stdout).toContain("package no-such-package was installed");
  return stdout.split("password: ");
}

// Elsewhere there is no apt-get, and another `script`.
const itOnLinux = process.platform === "linux" ? it : it.skip;

itOnLinux("no progress is drawn over the question until the password is entered", () => {
  const [before, after, ...more] = runWithSudo(true);
  expect(before).toContain("installing no-such-package from Debian");
  expect(after).toMatch(/^entered\r\n/);
  // It is drawn again during the installation itself.
  expect(after).toContain("\x1b[K  … engines");
  expect(more).toEqual([]);
});

itOnLinux("no progress is drawn over any question of a sudo that asks each time", () => {
  const [, ...questions] = runWithSudo(false);
  // One for the update of the index, and one for the installation.
  expect(questions).toEqual([expect.stringMatching(/^entered\r\n/), expect.stringMatching(/^entered\r\n/)]);
});
