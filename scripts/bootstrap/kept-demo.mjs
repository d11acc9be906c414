// Owns the folders in which demos keep what was loaded, one for each checkout and port, from one start to the next.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { cacheFolder, projectFolder } from "./run-folder.mjs";

/** What a demo leaves for the next one of its port. */
export class KeptDemo {
  /** @param {number} port of its API */
  constructor(port) {
    const checkout = createHash("sha256").update(projectFolder).digest("hex").slice(0, 8);
    this.name = `${port}-${checkout}`;
    this.path = join(cacheFolder(), "demos", this.name);
    this.loadedFile = join(this.path, "loaded.json");
  }

  /** Makes the folder, where it is not there yet. */
  open() {
    // The engines' user has folders in here.
    for (const folder of [join(this.path, ".."), this.path]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    }
  }

  /** @returns {string | undefined} when the sample register was loaded into it; undefined: it was not, or not to its end */
  loadedAt() {
    return existsSync(this.loadedFile) ? JSON.parse(readFileSync(this.loadedFile, "utf8")).at : undefined;
  }

  /** Notes that the sample register is in it. */
  noteLoaded() {
    writeFileSync(this.loadedFile, `${JSON.stringify({ at: new Date().toISOString() })}\n`);
  }

  /** Forgets all of it. */
  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}
