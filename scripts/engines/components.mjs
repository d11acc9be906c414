// Installs components in the cache. Each is made in a temporary folder and renamed to its place when complete.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { onStop } from "../bootstrap/lifecycle.mjs";
import { withLock } from "../bootstrap/lock.mjs";
import { run } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { cacheFolder } from "../bootstrap/run-folder.mjs";

// Bytes that the running installations of this process need together, and the bytes that were free before the first of
// them.
let reservedBytes = 0;
let freeBeforeBytes = 0;

/** The folder of a component; installs it if it is missing. `name` includes the version. `make` gets a folder to work
 * in and returns the folder inside it that becomes the component. `neededBytes`: disk space that this takes at most. */
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
      // Root's umask may be strict, and the engines' user must read what root installs.
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

/** Removes unfinished installations. This process holds the lock, so a killed run has left them. */
function removeLeftovers(folder, name) {
  const leftovers = readdirSync(folder).filter((entry) => entry.startsWith(`.${name}.partial-`));
  for (const entry of leftovers) rmSync(join(folder, entry), { recursive: true, force: true });
}

function assertSpace(folder, { name, neededBytes }) {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (reservedBytes === 0) freeBeforeBytes = freeBytes;
  if (neededBytes > freeBytes) throw spaceError({ name, folder, neededBytes, freeBytes });
  // Compared with the space before all of them, since part of what they need is used by now.
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
