// Owns the engines without Docker: real servers from package registries, run as an unprivileged user.

import { follow, SetupError } from "../bootstrap/progress.mjs";
import { startElasticsearch } from "./elasticsearch.mjs";
import { findEngineUser } from "./engine-user.mjs";
import { startFerretdb } from "./ferretdb.mjs";
import { startRedis } from "./redis.mjs";

/** @typedef {{run: import('../bootstrap/run-folder.mjs').RunFolder, user: import('./engine-user.mjs').EngineUser,
 *   task: {stage: (note: string) => void, advance: (done: number, total: number) => void}}} Place
 *   folder of an engine, and where it reports its progress */

/** @type {Record<string, {title: string, start: (place: Place) => Promise<string>}>} */
const engines = {
  ELASTICSEARCH_URL: { title: "Elasticsearch 9.4.3", start: startElasticsearch },
  MONGODB_URL: { title: "FerretDB 1.24.0 as MongoDB", start: startFerretdb },
  REDIS_URL: { title: "Redis", start: startRedis },
};

/** Starts the engines named by their variables, all at once, installing what is missing.
 * @param {string[]} names
 * @param {import('../bootstrap/run-folder.mjs').RunFolder} run
 * @returns {Promise<Record<string, string>>} their addresses */
export async function startFromPackages(names, run) {
  assertPossible();
  const user = await findEngineUser();
  const starts = names.map((name) => {
    const { title, start } = engines[name];
    return follow(title, async (task) => {
      const address = await start({ run, user, task });
      task.stage(address);
      return address;
    });
  });
  // The first failure is reported at once; the others end when the run is stopped.
  const addresses = await Promise.all(starts);
  return Object.fromEntries(names.map((name, index) => [name, addresses[index]]));
}

function assertPossible() {
  if (process.platform === "linux" && ["x64", "arm64"].includes(process.arch)) return;
  throw new SetupError(
    "Without a running Docker engine the engines run on Linux (x64 or arm64) only: " +
      "start Docker, or set ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL.",
  );
}
