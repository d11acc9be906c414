// Owns what comes from Debian: finding commands and installing the packages that carry the missing ones.

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { withLock } from "../bootstrap/lock.mjs";
import { run } from "../bootstrap/processes.mjs";
import { say, SetupError } from "../bootstrap/progress.mjs";
import { cacheFolder } from "../bootstrap/run-folder.mjs";

// Administrators' folders are not on every user's PATH.
const searchPath = `${process.env.PATH ?? ""}${delimiter}/usr/local/sbin${delimiter}/usr/sbin${delimiter}/sbin`;

/** @type {Promise<unknown>} */
let queue = Promise.resolve();
let isIndexFresh = false;

/** Finds a command as a shell would.
 * @param {string} command
 * @returns {string | undefined} */
export function findCommand(command) {
  return searchPath
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command))
    .find(isExecutable);
}

/** @param {string} file
 * @returns {boolean} */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a command, installing the Debian package that has it when it is missing.
 * @param {string} command
 * @param {string} debianPackage
 * @returns {Promise<string>} its path */
export function ensureCommand(command, debianPackage) {
  return ensureInstalled(debianPackage, () => findCommand(command));
}

/** Finds something, installing the Debian package that has it when it is missing.
 * @template T
 * @param {string} debianPackage
 * @param {() => T | undefined} find
 * @returns {Promise<T>} */
export async function ensureInstalled(debianPackage, find) {
  const present = find();
  if (present !== undefined) return present;
  const turn = queue.then(() => find() ?? install(debianPackage));
  queue = turn.catch(() => undefined);
  await turn;
  const installed = find();
  if (installed === undefined) {
    throw new SetupError(
      `Debian's package ${debianPackage} was installed but is incomplete; install it by hand.`,
    );
  }
  return installed;
}

/** Installs a package that this Debian may not have.
 * @param {string} debianPackage
 * @returns {Promise<boolean>} whether it is installed now */
export function tryInstall(debianPackage) {
  const turn = queue
    .then(() => install(debianPackage))
    .then(
      () => true,
      () => false,
    );
  queue = turn;
  return turn;
}

/** @param {string} debianPackage */
async function install(debianPackage) {
  const administrator = asAdministrator(debianPackage);
  say(`  installing ${debianPackage} from Debian`);
  await withLock(join(cacheFolder(), "locks/apt.lock"), "installing Debian packages", async () => {
    await updateIndex(administrator);
    const args = [
      "install",
      "-y",
      "-q",
      "--no-install-recommends",
      "-o",
      "DPkg::Lock::Timeout=300",
      debianPackage,
    ];
    try {
      await administrator("apt-get", args);
    } catch (error) {
      // A killed run may have left dpkg half way, or the mirror may have moved on since the index was read.
      isIndexFresh = false;
      await administrator("dpkg", ["--configure", "-a"]);
      await updateIndex(administrator);
      await administrator("apt-get", args).catch(() => {
        throw error;
      });
    }
  });
}

/** @param {string} debianPackage
 * @returns {(command: string, args: string[]) => Promise<string>} */
function asAdministrator(debianPackage) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (!existsSync("/usr/bin/apt-get")) {
    throw new SetupError(
      `This system has no apt-get: install the package that Debian calls ${debianPackage} by hand, or start Docker.`,
    );
  }
  if (process.getuid?.() === 0) return (command, args) => run(command, args, { env });
  const needed = `Debian's package ${debianPackage} is missing: run "apt-get install ${debianPackage}" as root`;
  if (!findCommand("sudo")) throw new SetupError(`${needed} (there is no sudo here).`);
  const mayAsk = Boolean(process.stdin.isTTY && process.stderr.isTTY);
  const sudo = [...(mayAsk ? [] : ["-n"]), "DEBIAN_FRONTEND=noninteractive"];
  return async (command, args) => {
    try {
      return await run("sudo", [...sudo, command, ...args], { env, mayAsk });
    } catch (error) {
      const isRefused = /password|not allowed|not in the sudoers/i.test(String(error));
      throw isRefused ? new SetupError(`${needed} (sudo refuses to).`) : error;
    }
  };
}

/** @param {(command: string, args: string[]) => Promise<string>} administrator */
async function updateIndex(administrator) {
  if (isIndexFresh) return;
  await administrator("apt-get", ["update", "-q", "-o", "DPkg::Lock::Timeout=300"]);
  isIndexFresh = true;
}
