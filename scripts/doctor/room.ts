/** Owns the checks of room: disks, Elasticsearch's heap, Redis' memory, and what Redis does when it is full. */
import { formatBytes } from "../../api/shared/runtime/format.ts";
import type { Capacity } from "../../api/shared/stores/health.ts";
import { fail, ok, warn, type Checks, type Finding } from "./define-check.ts";

const GIGABYTE = 1024 ** 3;

// Elasticsearch's own watermarks: above the first it gives a node no new copies, above the last it makes every index
// on it read-only. On large disks the bytes left count, not the share.
const LOW_DISK = { share: 0.15, mostBytes: 200 * GIGABYTE };
const FLOODED_DISK = { share: 0.05, mostBytes: 100 * GIGABYTE };
// A heap that is so full at the moment of the question may be before its next collection; full is full.
const LOW_HEAP_SHARE = 0.1;
const LOW_MEMORY_SHARE = 0.2;

export const roomChecks: Checks = {
  "Disk of Elasticsearch": async ({ stores }) =>
    judgeDisks((await stores.elasticsearch.health.fetchCapacities()).disks),

  "Heap of Elasticsearch": async ({ stores }) => {
    const { heaps } = await stores.elasticsearch.health.fetchCapacities();
    const isLow = heaps.some(({ totalBytes, freeBytes }) => freeBytes < totalBytes * LOW_HEAP_SHARE);
    const found = describeCapacities(heaps);
    if (!isLow) return ok(found);
    return warn(
      found,
      "give Elasticsearch more heap (ES_JAVA_OPTS=-Xms4g -Xmx4g; half of its machine's memory at most)",
    );
  },

  "Disk of MongoDB": async ({ stores }) => {
    const disk = await stores.mongo.health.fetchDisk();
    return disk ? judgeDisks([disk]) : ok("this server does not say");
  },

  "Eviction in Redis": async ({ stores }) => {
    const { evictionPolicy } = await stores.redis.health.fetchState();
    if (evictionPolicy === "noeviction") return ok("maxmemory-policy noeviction");
    if (evictionPolicy === "") return ok("this server does not say its policy");
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

/** By the least of all. Pure. */
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

function describeCapacities(capacities: readonly Capacity[]): string {
  const all = capacities.map(({ of, totalBytes, freeBytes }) => {
    const node = capacities.length > 1 ? `${of}: ` : "";
    return `${node}${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free`;
  });
  return all.join(", ") || "unknown";
}
