/** Owns the checks of the engines themselves: do they answer, does their version fit, do their clocks agree with ours. */
import { DeniedError, UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { ServerState } from "../../api/shared/stores/health.ts";
import { fail, ok, warn, type Checks, type Finding, type Patient } from "./define-check.ts";

// Below these a server lacks what the clients need of it.
export const LOWEST_MONGODB = [4, 4] as const;
const LOWEST_REDIS = [6, 2] as const;

// A clock that is so far from ours makes times of records and logs hard to compare, and one further away is not set.
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 30_000;

export const engineChecks: Checks = {
  "Connection to Elasticsearch": async ({ stores }) =>
    answers("Elasticsearch", "ELASTICSEARCH_URL", async () => {
      const server = await stores.elasticsearch.health.fetchServer();
      const [major] = parseVersion(server.version);
      const [clientMajor] = parseVersion(server.clientVersion);
      if (major === clientMajor) return ok(describe(server));
      return fail(
        describe(server),
        `client and server must have the same major version: use Elasticsearch ${clientMajor}`,
      );
    }),

  "Connection to MongoDB": async ({ stores }) =>
    answers("MongoDB", "MONGODB_URL", async () =>
      requireLowest(await stores.mongo.health.fetchServer(), "MongoDB", LOWEST_MONGODB),
    ),

  "Connection to Redis": async ({ stores }) =>
    answers("Redis", "REDIS_URL", async () => {
      const state = await stores.redis.health.fetchState();
      if (state.role === "replica") {
        return fail(
          `${describe(state)}; it is a replica`,
          "set REDIS_URL to the primary: a replica takes no writes",
        );
      }
      // What other products count as their versions says nothing about Redis.
      return state.product ? ok(describe(state)) : requireLowest(state, "Redis", LOWEST_REDIS);
    }),

  "Clocks of the engines": async (patient) => {
    const clocks = await fetchClocks(patient);
    const worst = Math.max(0, ...clocks.map(([, offsetMs]) => Math.abs(offsetMs)));
    const found = clocks.map(([name, offsetMs]) => `${name} ${formatOffset(offsetMs)}`).join(", ");
    if (worst < CLOCK_WARN_MS) return ok(found || "no engine answers");
    const verdict = worst < CLOCK_FAIL_MS ? warn : fail;
    return verdict(found, "synchronise the clocks of all machines with NTP (chrony, systemd-timesyncd)");
  },
};

/** How far the clocks of the engines that answer are ahead of ours. */
async function fetchClocks({ stores, now }: Patient): Promise<[name: string, offsetMs: number][]> {
  const { elasticsearch, mongo, redis } = stores;
  const shift = now() - Date.now();
  const answers = await Promise.allSettled([
    elasticsearch.health.fetchServer(),
    mongo.health.fetchServer(),
    redis.health.fetchState(),
  ]);
  return ["Elasticsearch", "MongoDB", "Redis"].flatMap((name, at): [string, number][] => {
    const answer = answers[at];
    return answer?.status === "fulfilled" ? [[name, answer.value.clockOffsetMs - shift]] : [];
  });
}

async function answers(name: string, setting: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof UnavailableError || error instanceof DeniedError)) throw error;
    const hint =
      error instanceof DeniedError
        ? `set ${setting} (or the file that ${setting}_FILE names) to a user and password that ${name} accepts and that has the rights`
        : `start ${name}, or set ${setting} to its address; see its log, and check firewalls`;
    return fail(error.message, hint);
  }
}

function requireLowest(server: ServerState, name: string, lowest: readonly [number, number]): Finding {
  const [major, minor] = parseVersion(server.version);
  const fits = major > lowest[0] || (major === lowest[0] && minor >= lowest[1]);
  return fits ? ok(describe(server)) : fail(describe(server), `install ${name} ${lowest.join(".")} or newer`);
}

function describe({ product, version, clientVersion }: ServerState): string {
  const standIn = product ? ` (${product})` : "";
  return `server ${version}${standIn}, client ${clientVersion}`;
}

function parseVersion(text: string): [number, number] {
  const [major = 0, minor = 0] = text.split(".").map((part) => Number.parseInt(part, 10));
  return [major, minor];
}

function formatOffset(offsetMs: number): string {
  const seconds = Math.abs(offsetMs) / 1000;
  if (seconds < 0.1) return "as ours";
  return `${seconds.toFixed(1)} s ${offsetMs > 0 ? "ahead" : "behind"}`;
}
