// Owns what is installed in the cache: each component is made beside its place and renamed into it when complete.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { onStop } from "../bootstrap/lifecycle.mjs";
import { withLock } from "../bootstrap/lock.mjs";
import { run } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { cacheFolder } from "../bootstrap/run-folder.mjs";

// Of the installations under way in this process, which share the disk, and what was free before the first of them.
let reservedBytes = 0;
let freeBeforeBytes = 0;

/** The folder of a component, installed first when it is missing. Its name has its version in it; `make` gets a folder for
 * its work and returns the one inside it that becomes the component. */
export async function ensureComponent({ name, neededBytes, make }) {
  const folder = join(cacheFolder(), "components");
  const place = join(folder, name);
  if (existsSync(place)) return place;
  await withLock(join(cacheFolder(), `locks/${name}.lock`), `installing ${name}`, async () => {
    if (existsSync(place)) return;
    mkdirSync(folder, { recursive: true });
    removeLeftovers(folder, name);
    assertSpace(folder, { name, neededBytes });
    const staging = join(folder, `.${name}.partial-${process.pid}`);
    const discard = () => rmSync(staging, { recursive: true, force: true });
    const forget = onStop(`installation of ${name}`, discard);
    reservedBytes += neededBytes;
    try {
      mkdirSync(staging);
      const made = await make(staging);
      // Root's umask may be tight; the engines' user must read what root installed.
      await run("chmod", ["-R", "a+rX", made]);
      renameSync(made, place);
    } finally {
      reservedBytes -= neededBytes;
      forget();
      discard();
    }
  });
  return place;
}

/** Holding the lock, whatever is half made was left by a killed run. */
function removeLeftovers(folder, name) {
  const leftovers = readdirSync(folder).filter((entry) => entry.startsWith(`.${name}.partial-`));
  for (const entry of leftovers) rmSync(join(folder, entry), { recursive: true, force: true });
}

function assertSpace(folder, { name, neededBytes }) {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (reservedBytes === 0) freeBeforeBytes = freeBytes;
  if (neededBytes > freeBytes) throw spaceError({ name, folder, neededBytes, freeBytes });
  // What the others have used since is part of what they need: it counts once.
  const togetherBytes = neededBytes + reservedBytes;
  if (togetherBytes > freeBeforeBytes)
    throw spaceError({
      name: `${name} with what is installed beside it`,
      ...{ folder, neededBytes: togetherBytes, freeBytes: freeBeforeBytes },
    });
}

function spaceError({ name, folder, neededBytes, freeBytes }) {
  return new SetupError(
    `Installing ${name} takes ${Math.ceil(neededBytes / 1e6)} MB for a while, and ${folder} has room for only ` +
      `${Math.floor(freeBytes / 1e6)} MB: free some space, or set COMPANY_REGISTER_CACHE to a folder on a larger disk.`,
  );
}
