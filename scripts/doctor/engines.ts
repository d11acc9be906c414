/** The checks of the engines: whether they answer, versions and clock fit, and disks and memory have room. */
import { DeniedError, UnavailableError } from "../../api/shared/runtime/errors.ts";
import { formatBytes } from "../../api/shared/runtime/format.ts";
import { MOST_AHEAD_MS } from "../../api/shared/stores/redis/numbers.ts";
import type { Capacity, ServerState } from "../../api/shared/stores/health.ts";
import { fail, ok, warn, type Checks, type Finding } from "./define-check.ts";

// Older servers lack functions that the clients need.
export const LOWEST_MONGODB = [4, 4] as const;
const LOWEST_REDIS = [6, 2] as const;

// A clock that differs this much from ours is not synchronised by NTP; with the second difference it is simply wrong.
const CLOCK_WARN_MS = 2_000;
const CLOCK_FAIL_MS = 30_000;

const FAR_AHEAD =
  "set this machine's clock; if it is right, the clock of Redis was wrong: nothing is written until you restore a backup from before, or load into an empty database, with Redis emptied (scripts/docs/backup.md)";

const GIGABYTE = 1024 ** 3;

// Elasticsearch's disk watermarks, as free space. Below the first it puts no new shards on a node; below the second it
// makes every index on the node read-only. On large disks the free bytes decide, not the share.
const LOW_DISK = { share: 0.15, mostBytes: 200 * GIGABYTE };
const FLOODED_DISK = { share: 0.05, mostBytes: 100 * GIGABYTE };
const LOW_MEMORY_SHARE = 0.2;

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
      return requireLowest(state, "Redis", LOWEST_REDIS);
    }),

  // Redis's clock orders all writes, and gives the time of a row that has no date of its own.
  "Clock of Redis": async ({ stores, now }) => {
    const before = now();
    const clock = await stores.redis.health.fetchClock();
    const aheadMs = offsetOf(clock, before, now());
    const found = formatOffset(aheadMs);
    const revisionMs = ((await stores.redis.fetchRevision()) ?? 0) / 1_000;
    if (revisionMs > now() + MOST_AHEAD_MS)
      return fail(`${found}; revisions are over a day ahead`, FAR_AHEAD);
    if (Math.abs(aheadMs) < CLOCK_WARN_MS) return ok(found);
    const verdict = Math.abs(aheadMs) < CLOCK_FAIL_MS ? warn : fail;
    return verdict(found, "synchronise the clocks of all machines with NTP (chrony, systemd-timesyncd)");
  },
};

/** The checks of room: disks, Redis's memory, and what Redis does when it is full. */
export const roomChecks: Checks = {
  "Disk of Elasticsearch": async ({ stores }) => judgeDisks(await stores.elasticsearch.health.fetchDisks()),

  "Disk of MongoDB": async ({ stores }) => {
    const disk = await stores.mongo.health.fetchDisk();
    return disk ? judgeDisks([disk]) : ok("this server does not report its disk");
  },

  "Eviction in Redis": async ({ stores }) => {
    const { evictionPolicy } = await stores.redis.health.fetchState();
    if (evictionPolicy === "noeviction") return ok("maxmemory-policy noeviction");
    if (evictionPolicy === "") return ok("this server does not report its policy");
    return fail(
      `maxmemory-policy ${evictionPolicy}`,
      "run CONFIG SET maxmemory-policy noeviction, and set the same in redis.conf: evicted keys would be lost batches",
    );
  },

  "Memory and persistence of Redis": async ({ stores }) => {
    const { usedBytes, mostBytes, isKept, isDiskWell } = await stores.redis.health.fetchState();
    const used = `${formatBytes(usedBytes)} used${mostBytes ? ` of ${formatBytes(mostBytes)}` : ""}`;
    if (!isDiskWell) {
      return fail(
        `${used}; its last write to disk failed`,
        "see Redis' log, and check whether its disk is full: it takes no writes until one succeeds",
      );
    }
    if (mostBytes > 0 && usedBytes >= mostBytes)
      return fail(
        used,
        "it takes no writes: raise Redis' maxmemory (CONFIG SET maxmemory, and in redis.conf)",
      );
    if (mostBytes > 0 && mostBytes - usedBytes < mostBytes * LOW_MEMORY_SHARE)
      return warn(used, "raise Redis' maxmemory, or lower QUEUE_DEPTH and BATCH_BYTES");
    if (isKept) return ok(`${used}; append-only file on`);
    return warn(
      `${used}; append-only file off`,
      "run CONFIG SET appendonly yes, and set the same in redis.conf: otherwise you must resume running loads after a crash of Redis",
    );
  },
};

/** Judges by the fullest disk. Pure. */
export function judgeDisks(disks: readonly Capacity[]): Finding {
  const found = describeCapacities(disks);
  const isBelow = ({ share, mostBytes }: typeof LOW_DISK) =>
    disks.some(({ totalBytes, freeBytes }) => freeBytes < Math.min(totalBytes * share, mostBytes));
  if (isBelow(FLOODED_DISK))
    return fail(found, "free some space or add a disk: a store refuses writes when its disk is full");
  if (isBelow(LOW_DISK))
    return warn(found, "free some space or add a disk soon: reindex needs the size of the indices once more");
  return ok(found);
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

function describe({ version, clientVersion }: ServerState): string {
  return `server ${version}, client ${clientVersion}`;
}

function parseVersion(text: string): [number, number] {
  const [major = 0, minor = 0] = text.split(".").map((part) => Number.parseInt(part, 10));
  return [major, minor];
}

/**
 * The least possible offset of a clock from ours, in milliseconds; negative if it is behind. It was read at some time
 * between `before` and `after`, so it counts as right (0) if it shows a time between them.
 */
function offsetOf(clock: number, before: number, after: number): number {
  if (clock < before) return clock - before;
  return Math.max(0, clock - after);
}

function formatOffset(aheadMs: number): string {
  const seconds = Math.abs(aheadMs) / 1_000;
  if (seconds < 0.1) return "same as this machine's";
  return `${seconds.toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`;
}

function describeCapacities(capacities: readonly Capacity[]): string {
  const all = capacities.map(({ of, totalBytes, freeBytes }) => {
    const node = capacities.length > 1 ? `${of}: ` : "";
    return `${node}${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free`;
  });
  return all.join(", ") || "unknown";
}
