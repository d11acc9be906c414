// Locks between processes. A lock is a file that names its holder; when that process has ended, another may take the
// lock over.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNotStopping, onStop } from "./lifecycle.mjs";
import { identityOf, isAlive } from "./processes.mjs";
import { say } from "./progress.mjs";

const retryMs = 250;
let counter = 0;

/** Does the work while holding the lock. If another process holds it, says what that does (`purpose`), and waits. */
export async function withLock(lockFile, purpose, work) {
  let release;
  for (let hasTold = false; !(release = takeLock(lockFile)); hasTold = true) {
    assertNotStopping();
    if (!hasTold) say(`Another run is ${purpose}; waiting for it.`);
    await sleep(retryMs);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** Takes a lock and returns its release; undefined if another process holds it. The run's end releases it, too. */
export function takeLock(lockFile) {
  mkdirSync(dirname(lockFile), { recursive: true });
  if (!take(lockFile)) return undefined;
  const remove = () => rmSync(lockFile, { force: true });
  const forget = onStop("lock", remove);
  return () => {
    forget();
    remove();
  };
}

function take(lockFile) {
  const mine = `${lockFile}.${process.pid}.${(counter += 1)}`;
  writeFileSync(mine, JSON.stringify(identityOf(process.pid)));
  try {
    return link(mine, lockFile) || (removeStale(lockFile) && link(mine, lockFile));
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Linking a complete file is atomic: no process ever sees a lock file without its holder. */
function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a holder that has ended. Returns false if a running process holds it. */
function removeStale(lockFile) {
  if (isHeld(lockFile)) return false;
  const aside = `${lockFile}.stale.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch {
    return true;
  }
  // Another process may have taken the lock over between the check and the rename: give it back then.
  const wasStale = !isHeld(aside);
  if (!wasStale) link(aside, lockFile);
  rmSync(aside, { force: true });
  return wasStale;
}

function isHeld(lockFile) {
  try {
    return isAlive(JSON.parse(readFileSync(lockFile, "utf8")));
  } catch (error) {
    return error.code !== "ENOENT" && !(error instanceof SyntaxError);
  }
}
