// Owns where the engines of a run come from: addresses in the environment, else Docker, else package registries.

import { say } from "../bootstrap/progress.mjs";
import { cleanUpKilledRuns } from "../bootstrap/run-folder.mjs";
import { hasDocker, removeComposeProject, startInDocker } from "./docker.mjs";
import { startFromPackages } from "./packages.mjs";

/** The variables that carry the engines' addresses. */
export const addressNames = ["ELASTICSEARCH_URL", "MONGODB_URL", "REDIS_URL"];

/** Brings up the engines that the environment does not name; they end with the run.
 * @param {import('../bootstrap/run-folder.mjs').RunFolder} run
 * @returns {Promise<Record<string, string>>} the three addresses, also kept in the run's state */
export async function startEngines(run) {
  // A leftover that cannot be removed must not keep the next run from starting.
  await cleanUpKilledRuns((...project) => removeComposeProject(...project).catch(() => undefined));
  const given = addressNames.filter((name) => process.env[name]);
  const missing = addressNames.filter((name) => !process.env[name]);
  const useDocker = missing.length > 0 && (await hasDocker());
  say(describe({ given, missing, useDocker }));
  const addresses = Object.fromEntries(given.map((name) => [name, String(process.env[name])]));
  if (missing.length > 0)
    Object.assign(addresses, await (useDocker ? startInDocker : startFromPackages)(missing, run));
  run.update({ env: { ...run.state.env, ...addresses } });
  return addresses;
}

/** @param {{given: string[], missing: string[], useDocker: boolean}} source */
function describe({ given, missing, useDocker }) {
  const parts = [];
  if (given.length > 0) parts.push(`${given.join(", ")} as set in the environment`);
  const rest = given.length > 0 ? "the others" : "all";
  if (missing.length > 0) {
    parts.push(
      useDocker ? `${rest} in Docker` : `${rest} from package registries (no Docker engine answers)`,
    );
  }
  return `Engines: ${parts.join("; ")}.`;
}
