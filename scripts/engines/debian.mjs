// Finds commands, and installs the Debian packages of missing ones.

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { withLock } from "../bootstrap/lock.mjs";
import { run } from "../bootstrap/processes.mjs";
import { say, SetupError, pauseProgress } from "../bootstrap/progress.mjs";
import { cacheFolder } from "../bootstrap/run-folder.mjs";

// The folders of administrators' commands are not on every user's PATH.
const searchPath = `${process.env.PATH ?? ""}${delimiter}/usr/local/sbin${delimiter}/usr/sbin${delimiter}/sbin`;

// Messages of sudo, and of sudo-rs, which newer Ubuntu has.
const passwordNeeded = /(password|authentication) is required/i;
const refusal = /password|authentication is required|not allowed|not in the sudoers/i;

let queue = Promise.resolve();
let isIndexFresh = false;

/** Finds a command as a shell would. */
export function findCommand(command) {
  return searchPath
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command))
    .find(isExecutable);
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a command; installs its Debian package if it is missing. */
export function ensureCommand(command, debianPackage) {
  return ensureInstalled(debianPackage, () => findCommand(command));
}

/** What `find` returns; if that is undefined, installs the Debian package and calls `find` again. */
export async function ensureInstalled(debianPackage, find) {
  const present = await find();
  if (present !== undefined) return present;
  const turn = queue.then(async () => (await find()) ?? (await install(debianPackage)));
  queue = turn.catch(() => undefined);
  await turn;
  const installed = await find();
  if (installed !== undefined) return installed;
  throw new SetupError(
    `Debian's package ${debianPackage} was installed but is incomplete; install it by hand.`,
  );
}

async function install(debianPackage) {
  const administrator = asAdministrator(debianPackage);
  say(`  installing ${debianPackage} from Debian`);
  await withLock(join(cacheFolder(), "locks/apt.lock"), "installing Debian packages", async () => {
    await updateIndex(administrator);
    const options = ["-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    const args = ["install", ...options, debianPackage];
    try {
      await administrator("apt-get", args);
    } catch (error) {
      // A killed run may have left dpkg unfinished, or the mirror may have newer packages than the index.
      isIndexFresh = false;
      await administrator("dpkg", ["--configure", "-a"]);
      await updateIndex(administrator);
      await administrator("apt-get", args).catch(() => {
        throw error;
      });
    }
  });
}

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
  // LANGUAGE makes sudo's messages English, to recognise them. LC_ALL would also change how Debian sets up PostgreSQL.
  const sudo = (...args) => run("sudo", args, { env: { ...env, LANGUAGE: "C" }, mayAsk });
  return async (command, args) => {
    const words = ["DEBIAN_FRONTEND=noninteractive", command, ...args];
    try {
      return await sudo("-n", ...words).catch((error) => {
        if (!mayAsk || !passwordNeeded.test(error.message)) throw error;
        return pauseProgress(() => sudo(...words));
      });
    } catch (error) {
      throw refusal.test(error.message) ? new SetupError(`${needed} (sudo refuses to).`) : error;
    }
  };
}

async function updateIndex(administrator) {
  if (isIndexFresh) return;
  await administrator("apt-get", ["update", "-q", "-o", "DPkg::Lock::Timeout=300"]);
  isIndexFresh = true;
}
