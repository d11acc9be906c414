// Owns locks between processes: a file that names its holder, taken over when the holder is gone.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNotStopping, onStop } from "./lifecycle.mjs";
import { identityOf, isAlive } from "./processes.mjs";
import { say } from "./progress.mjs";

const retryMs = 250;
let counter = 0;

/** Does the work while no other process holds the same lock; waits for the other one, and says what that is doing (`purpose`). */
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

/** Takes a lock, which ends with this run at the latest, and returns what releases it; undefined: another process holds it. */
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

/** Linking a complete file is atomic: nobody ever sees a lock without its holder. */
function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Takes the lock of a dead holder away; returns whether there was one. */
function removeStale(lockFile) {
  if (isHeld(lockFile)) return false;
  const aside = `${lockFile}.stale.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch {
    return true;
  }
  // Another process may have taken it over between the look and the rename: give that one back.
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
