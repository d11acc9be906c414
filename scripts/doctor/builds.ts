/** Owns the check of indices that are being built beside the live ones, and of those that nobody needs any more. */
import { indices } from "../../index-mappings/index.ts";
import { fetchStanding, REINDEX_LOCK } from "../../ingest/reindex/standing.ts";
import { defineCheck, ok, warn, type Check } from "./define-check.ts";

const buildsCheck = defineCheck({
  title: "No reindex was broken off",
  run: async ({ stores }) => {
    const standings = await Promise.all(indices.map((index) => fetchStanding({ stores, index })));
    const builds = standings.flatMap(({ build }) => build ?? []);
    if (builds.length === 0) return ok("none is under way");
    const told = builds.map(({ _id, started_at }) => `${_id}, begun ${started_at}`).join("; ");
    if ((await stores.redis.locks.list()).includes(REINDEX_LOCK)) return ok(`under way: ${told}`);
    return warn(
      `broken off: ${told}; what is written since is kept for it`,
      "npm run cli -- reindex --resume goes on with it, --discard gives it up",
    );
  },
});

export const buildChecks: Check[] = [buildsCheck];
