// Decides where the engines of a run come from: addresses in the environment, else Docker, else package registries,
// whose servers run as an unprivileged user.

import { follow, say, SetupError } from "../bootstrap/progress.mjs";
import { cleanUpKilledRuns } from "../bootstrap/run-folder.mjs";
import { findDockerFault, removeComposeProject, startInDocker } from "./docker.mjs";
import { startElasticsearch } from "./elasticsearch.mjs";
import { findEngineUser } from "./engine-user.mjs";
import { startFerretdb } from "./ferretdb.mjs";
import { startRedis } from "./redis.mjs";

// Each `start` gets a place, {run: RunFolder, user: EngineUser, task: its line of progress}, and returns the engine's
// address.
const packaged = {
  ELASTICSEARCH_URL: { title: "Elasticsearch 9.4.3", start: startElasticsearch },
  MONGODB_URL: { title: "FerretDB 1.24.0 as MongoDB", start: startFerretdb },
  REDIS_URL: { title: "Redis", start: startRedis },
};

/** The environment variables with the engines' addresses. */
export const addressNames = Object.keys(packaged);

/** Starts the engines that the environment does not name; they end with the run. Returns the three addresses by
 * variable, and stores them in the run's state. `keptIn`: "packages" if engines from packages have written the data
 * that is to be used. */
export async function startEngines(run, keptIn) {
  await removeKilledRuns();
  const given = addressNames.filter((name) => process.env[name]);
  const missing = addressNames.filter((name) => !process.env[name]);
  const whyNotDocker =
    keptIn === "packages" ? "their data is from there" : missing.length > 0 && (await findDockerFault());
  const useDocker = missing.length > 0 && !whyNotDocker;
  const rest = given.length > 0 ? "the others" : "all";
  const origins = [
    ...(given.length > 0 ? [`${given.join(", ")} as set in the environment`] : []),
    ...(useDocker ? [`${rest} in Docker`] : []),
    ...(whyNotDocker ? [`${rest} from package registries (${whyNotDocker})`] : []),
  ];
  say(`Engines: ${origins.join("; ")}.`);
  const addresses = Object.fromEntries(given.map((name) => [name, process.env[name]]));
  if (missing.length > 0)
    Object.assign(addresses, await (useDocker ? startInDocker : startFromPackages)(missing, run));
  run.update({ env: { ...run.state.env, ...addresses } });
  return addresses;
}

/** Ends what killed runs have left. If Docker cannot remove its part, the next run starts all the same. */
export function removeKilledRuns() {
  return cleanUpKilledRuns((...project) => removeComposeProject(...project).catch(() => undefined));
}

/** Starts engines, named by their variables, all at the same time; installs what is missing. */
export async function startFromPackages(names, run) {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) {
    const dockerFault = await findDockerFault();
    if (dockerFault === undefined) throw new SetupError("These engines run on Linux (x64 or arm64) only.");
    throw new SetupError(
      `The engines run on Linux (x64 or arm64) only, or in Docker (${dockerFault}): ` +
        "start or repair Docker, or set ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL.",
    );
  }
  const user = await findEngineUser();
  const starts = names.map((name) => {
    const { title, start } = packaged[name];
    return follow(title, async (task) => {
      const address = await start({ run, user, task });
      task.stage(address);
      return [name, address];
    });
  });
  // The first failure is reported at once; the stop of the run then ends the other engines.
  return Object.fromEntries(await Promise.all(starts));
}
