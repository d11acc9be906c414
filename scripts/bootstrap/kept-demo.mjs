// The data that a demo leaves for the next demo on its port, and the names that keep it apart from a real register.

import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { composeProjectOf, findDockerFault, removeComposeProject } from "../engines/docker.mjs";
import { addressNames, removeKilledRuns } from "../engines/index.mjs";
import { takeLock } from "./lock.mjs";
import { say, SetupError } from "./progress.mjs";
import { cacheFolder, projectFolder } from "./run-folder.mjs";

export const chooseAnother = ': set PORT to a free one, as in "PORT=8081 npm run demo".';

// The user's own engines may hold a real register. The demo's keys are public, so it uses other names there.
const ownNames = { DATABASE_NAME: "company_register_demo", INDEX_PREFIX: "demo-", QUEUE_PREFIX: "demo" };

/** Where the demo keeps its data. Undefined if it keeps none (--exit, or PORT=0), or if the user's own engines keep it.
 * Throws SetupError if options and environment do not fit. */
export async function chooseKept(port, args) {
  const given = addressNames.filter((name) => process.env[name]);
  // Before guardFresh, whose message says what to delete: that must not be a real register.
  if (given.length > 0) assertOwnNames();
  if (args.includes("--fresh")) guardFresh(given);
  const isFleeting = args.includes("--exit") || process.env.PORT === "0";
  if (isFleeting && args.includes("--fresh"))
    throw new SetupError(
      "A demo with --exit or PORT=0 keeps no data that --fresh could delete: leave one out.",
    );
  if (isFleeting || given.length === addressNames.length) return undefined;
  // Demos on other ports would share the data in an engine that the user has named.
  if (given.length > 0)
    throw new SetupError(
      `A demo that keeps its data needs all three addresses or none: unset ${given.join(", ")}, or set the others.`,
    );
  const kept = new KeptDemo(port);
  // A lock, because the port itself is free until the API of a starting demo listens there.
  if (!takeLock(kept.lockFile))
    throw new SetupError(`Another demo on port ${port} is starting${chooseAnother}`);
  await kept.assertReachable(port);
  if (args.includes("--fresh")) await kept.remove();
  const loadedAt = kept.loadedAt();
  if (loadedAt)
    say(`Using the data of earlier demos on this port, since ${loadedAt.slice(0, 10)}. ${kept.startOver}`);
  kept.open();
  return kept;
}

/** Throws SetupError in engines of the user's own: --fresh deletes nothing there, and says what to delete by hand. */
function guardFresh(given) {
  if (given.length === 0) return;
  const { INDEX_PREFIX, DATABASE_NAME, QUEUE_PREFIX } = chooseNames();
  throw new SetupError(
    `--fresh deletes nothing in engines of your own (${given.join(", ")}): delete the indices ${INDEX_PREFIX}*, the database ` +
      `${DATABASE_NAME} and the Redis keys ${QUEUE_PREFIX}:* there, then start the demo without --fresh.`,
  );
}

/** Throws SetupError for a name from the environment that may be that of a real register in the user's own engines. */
function assertOwnNames() {
  const others = Object.keys(ownNames).filter((name) => !/demo/i.test(process.env[name] || "demo"));
  if (others.length === 0) return;
  throw new SetupError(
    `The demo's keys are public and must not open a real register: unset ${others.join(", ")}, or set it to a name ` +
      'with "demo" in it.',
  );
}

/** What a demo leaves for the next demo on its port: a folder for each checkout and port. */
class KeptDemo {
  constructor(port) {
    const checkout = createHash("sha256").update(projectFolder).digest("hex").slice(0, 8);
    this.name = `${port}-${checkout}`;
    this.path = join(cacheFolder(), "demos", this.name);
    this.loadedFile = join(this.path, "loaded.json");
    this.lockFile = join(cacheFolder(), `locks/demo-${this.name}.lock`);
    // The command names the port, or it would delete the data of the demo on port 8080.
    const command = `${port === 8080 ? "" : `PORT=${port} `}npm run demo -- --fresh`;
    this.startOver = `${command} deletes it and starts over.`;
  }

  /** Makes the folder if it is missing. */
  open() {
    // Readable by all: the engines run as another user and have folders in it.
    for (const folder of [dirname(this.path), this.path]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    }
  }

  /** When the sample register was loaded; undefined if it was not, or not completely. */
  loadedAt() {
    return this.loaded()?.at;
  }

  /** Whose engines' data it is, "docker" or "packages"; undefined if nothing was loaded. */
  engines() {
    return this.loaded()?.engines;
  }

  loaded() {
    if (!existsSync(this.loadedFile)) return undefined;
    try {
      return JSON.parse(readFileSync(this.loadedFile, "utf8"));
    } catch (error) {
      // The write was interrupted: load the sample register again.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  noteLoaded(engines) {
    writeFileSync(this.loadedFile, `${JSON.stringify({ at: new Date().toISOString(), engines })}\n`);
  }

  /** Throws SetupError if the data is in Docker and Docker does not run: it can be neither used nor deleted then. */
  async assertReachable(port) {
    const fault = this.engines() === "docker" && (await findDockerFault());
    if (fault)
      throw new SetupError(
        `The data of earlier demos on port ${port} is in Docker (${fault}): start or repair Docker, or choose another ` +
          `port${chooseAnother} To give this data up, delete ${this.path}.`,
      );
  }

  /** Deletes all data, in Docker, too. */
  async remove() {
    // Engines of a killed demo may still be running on this data.
    await removeKilledRuns();
    if ((await findDockerFault()) === undefined)
      await removeComposeProject(composeProjectOf("demo", this.name));
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Names of database, indices and queue: those of the environment; else, in the user's own engines, the demo's. */
export function chooseNames() {
  const isGiven = addressNames.some((name) => process.env[name]);
  const chosen = Object.entries(ownNames).map(([name, own]) => [name, process.env[name] || (isGiven && own)]);
  return Object.fromEntries(chosen.filter(([, value]) => value));
}
