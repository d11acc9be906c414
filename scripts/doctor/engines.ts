/** Owns the checks of the engines themselves: do they answer, does their version fit, do their clocks agree with ours. */
import { DeniedError, UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { ServerState } from "../../api/shared/stores/health.ts";
import { defineCheck, fail, ok, warn, type Check, type Finding, type Patient } from "./define-check.ts";

// Below these a server lacks what the clients need of it.
export const LOWEST_MONGODB = [4, 4] as const;
const LOWEST_REDIS = [6, 2] as const;

// A clock that is so far from ours makes times of records and logs hard to compare, and one further away is not set.
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 30_000;

const elasticsearchCheck = defineCheck({
  title: "Connection to Elasticsearch",
  run: async ({ stores }) =>
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
});

const mongoCheck = defineCheck({
  title: "Connection to MongoDB",
  run: async ({ stores }) =>
    answers("MongoDB", "MONGODB_URL", async () =>
      requireLowest(await stores.mongo.health.fetchServer(), "MongoDB", LOWEST_MONGODB),
    ),
});

const redisCheck = defineCheck({
  title: "Connection to Redis",
  run: async ({ stores }) =>
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
});

const clocksCheck = defineCheck({
  title: "Clocks of the engines",
  run: async (patient) => {
    const shift = patient.now() - Date.now();
    const clocks = (await fetchClocks(patient)).map(([name, offsetMs]) => [name, offsetMs - shift] as const);
    const worst = Math.max(0, ...clocks.map(([, offsetMs]) => Math.abs(offsetMs)));
    const found = clocks.map(([name, offsetMs]) => `${name} ${formatOffset(offsetMs)}`).join(", ");
    if (worst < CLOCK_WARN_MS) return ok(found || "no engine answers");
    const verdict = worst < CLOCK_FAIL_MS ? warn : fail;
    return verdict(found, "synchronise the clocks of all machines with NTP (chrony, systemd-timesyncd)");
  },
});

export const engineChecks: Check[] = [elasticsearchCheck, mongoCheck, redisCheck, clocksCheck];

/** Of the engines that answer. */
async function fetchClocks({ stores }: Patient): Promise<[string, number][]> {
  const { elasticsearch, mongo, redis } = stores;
  const asked: [string, Promise<ServerState>][] = [
    ["Elasticsearch", elasticsearch.health.fetchServer()],
    ["MongoDB", mongo.health.fetchServer()],
    ["Redis", redis.health.fetchState()],
  ];
  const clocks = await Promise.all(
    asked.map(async ([name, question]): Promise<[string, number][]> => {
      const server = await question.catch(() => null);
      return server ? [[name, server.clockOffsetMs]] : [];
    }),
  );
  return clocks.flat();
}

async function answers(name: string, setting: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof DeniedError) {
      return fail(
        error.message,
        `set ${setting} (or the file that ${setting}_FILE names) to a user and password that ${name} accepts and that has the rights`,
      );
    }
    if (!(error instanceof UnavailableError)) throw error;
    return fail(
      error.message,
      `start ${name}, or set ${setting} to its address; see its log, and check firewalls`,
    );
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
