/** Owns the check of indices that are being built beside the live ones, and of those that nobody needs any more. */
import { indices } from "../../index-mappings/index.ts";
import { fetchStanding, REINDEX_LOCK } from "../../ingest/reindex/standing.ts";
import { defineCheck, ok, warn, type Check } from "./define-check.ts";

const buildsCheck = defineCheck({
  title: "Unfinished reindexes",
  run: async ({ stores }) => {
    const standings = await Promise.all(indices.map((index) => fetchStanding({ stores, index })));
    const builds = standings.flatMap(({ build }) => build ?? []);
    if (builds.length === 0) return ok("none");
    const found = builds.map(({ _id, started_at }) => `${_id}, started ${started_at}`).join("; ");
    if ((await stores.redis.locks.list()).includes(REINDEX_LOCK)) return ok(`running: ${found}`);
    return warn(
      `interrupted: ${found}; the writes since then are kept for it`,
      "npm run cli -- reindex --resume continues it, --discard deletes it",
    );
  },
});

export const buildChecks: Check[] = [buildsCheck];
