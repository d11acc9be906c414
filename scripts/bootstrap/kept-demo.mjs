// Owns what a demo leaves for the next one of its port, and the names that keep it apart from a real register.

import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { composeProjectOf, findDockerFault, removeComposeProject } from "../engines/docker.mjs";
import { addressNames, removeKilledRuns } from "../engines/index.mjs";
import { takeLock } from "./lock.mjs";
import { say, SetupError } from "./progress.mjs";
import { cacheFolder, projectFolder } from "./run-folder.mjs";

export const chooseAnother = ': set PORT to a free one, as in "PORT=8081 npm run demo".';

// Engines that are already there may hold a real register: the demo, whose key everyone knows, keeps apart from it.
const ownNames = { DATABASE_NAME: "company_register_demo", INDEX_PREFIX: "demo-", QUEUE_PREFIX: "demo" };

/** Where the demo keeps its data. One that only answers its three calls keeps none, nor one on whichever port is free; engines
 * that are there already keep their own. */
export async function chooseKept(port, args) {
  const given = addressNames.filter((name) => process.env[name]);
  // First: what --fresh advises to delete must not be a real register.
  if (given.length > 0) assertOwnNames();
  if (args.includes("--fresh")) guardFresh(given);
  const isFleeting = args.includes("--exit") || process.env.PORT === "0";
  if (isFleeting && args.includes("--fresh"))
    throw new SetupError(
      "A demo with --exit or PORT=0 keeps no data that --fresh could delete: leave one out.",
    );
  if (isFleeting || given.length === addressNames.length) return undefined;
  // What is kept in an engine of one's own would be another demo's as well.
  if (given.length > 0)
    throw new SetupError(
      `A demo that keeps its data needs all three addresses or none: unset ${given.join(", ")}, or set the others.`,
    );
  const kept = new KeptDemo(port);
  // The port stays free until the API of a demo that starts listens there.
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

/** Deletes nothing in engines that are there already, and says so. */
function guardFresh(given) {
  if (given.length === 0) return;
  const { INDEX_PREFIX, DATABASE_NAME, QUEUE_PREFIX } = chooseNames();
  throw new SetupError(
    `--fresh deletes nothing in engines of your own (${given.join(", ")}): delete the indices ${INDEX_PREFIX}*, the database ` +
      `${DATABASE_NAME} and the Redis keys ${QUEUE_PREFIX}:* there, then start the demo without --fresh.`,
  );
}

/** In engines that are there already, a name from the environment may be that of a real register. */
function assertOwnNames() {
  const others = Object.keys(ownNames).filter((name) => !/demo/i.test(process.env[name] || "demo"));
  if (others.length === 0) return;
  throw new SetupError(
    `The demo's keys are public and must not open a real register: unset ${others.join(", ")}, or set it to a name ` +
      'with "demo" in it.',
  );
}

/** What a demo leaves for the next one of its port: a folder for each checkout and port. */
class KeptDemo {
  constructor(port) {
    const checkout = createHash("sha256").update(projectFolder).digest("hex").slice(0, 8);
    this.name = `${port}-${checkout}`;
    this.path = join(cacheFolder(), "demos", this.name);
    this.loadedFile = join(this.path, "loaded.json");
    this.lockFile = join(cacheFolder(), `locks/demo-${this.name}.lock`);
    // Without its port it would be the data of another demo.
    const command = `${port === 8080 ? "" : `PORT=${port} `}npm run demo -- --fresh`;
    this.startOver = `${command} deletes it and starts over.`;
  }

  /** Makes the folder, where it is not there yet. */
  open() {
    // The engines' user has folders in here.
    for (const folder of [dirname(this.path), this.path]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    }
  }

  /** When the sample register was loaded into it; undefined: it was not, or not to its end. */
  loadedAt() {
    return this.loaded()?.at;
  }

  /** Whether the data are those of engines in "docker" or from "packages"; undefined: nothing was loaded. */
  engines() {
    return this.loaded()?.engines;
  }

  loaded() {
    if (!existsSync(this.loadedFile)) return undefined;
    try {
      return JSON.parse(readFileSync(this.loadedFile, "utf8"));
    } catch (error) {
      // Cut off while it was written: the sample register is loaded again.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  noteLoaded(engines) {
    writeFileSync(this.loadedFile, `${JSON.stringify({ at: new Date().toISOString(), engines })}\n`);
  }

  /** Data in Docker can be neither used nor deleted without it. */
  async assertReachable(port) {
    const fault = this.engines() === "docker" && (await findDockerFault());
    if (fault)
      throw new SetupError(
        `The data of earlier demos on port ${port} is in Docker (${fault}): start or repair Docker, or choose another ` +
          `port${chooseAnother} To give this data up, delete ${this.path}.`,
      );
  }

  /** Forgets all of it, also what Docker keeps. */
  async remove() {
    // Engines of a killed demo may still run on it.
    await removeKilledRuns();
    if ((await findDockerFault()) === undefined)
      await removeComposeProject(composeProjectOf("demo", this.name));
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The names that are set and, in engines that are there already, the demo's own for the others. */
export function chooseNames() {
  const isGiven = addressNames.some((name) => process.env[name]);
  const chosen = Object.entries(ownNames).map(([name, own]) => [name, process.env[name] || (isGiven && own)]);
  return Object.fromEntries(chosen.filter(([, value]) => value));
}
