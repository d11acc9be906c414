/** Owns the check of loads: did the last one of each source go well? */
import { fetchKnownLoads, type KnownLoad } from "../../ingest/known-loads.ts";
import { formatAge } from "../format.ts";
import { defineCheck, fail, ok, warn } from "./define-check.ts";

// Limit: loads that are looked at; a month of daily ones of every source.
const LOOKED_AT = 300;
// Of loads that ended badly; the rest is counted.
const NAMED = 3;

export const loadsCheck = defineCheck({
  title: "The last load of each source went well",
  run: async ({ stores, now }) => {
    const loads = await fetchKnownLoads(stores, LOOKED_AT);
    const [last] = loads;
    if (!last) return warn("nothing has been loaded yet", "npm run cli -- load FILE");
    const open = findUnmended(loads);
    const [first] = open;
    if (!first) {
      const age = formatAge(now() - Date.parse(last.finished_at ?? last.started_at));
      return ok(last.state === "running" ? `${last._id} runs, since ${age}` : `${last._id}, ${age} ago`);
    }
    const more = open.length > NAMED ? `; ${open.length - NAMED} more` : "";
    return fail(
      open.slice(0, NAMED).map(describe).join("; ") + more,
      `npm run cli -- loads show ${first._id} tells more; mend that, then npm run cli -- load --resume ${first._id} goes on ` +
        "with it; where the file itself is unfit, load the right one",
    );
  },
});

/**
 * Of loads, latest first, those that ended badly and that no later one has made good: by loading the same sources.
 * One that failed before its files were known for what they are has changed nothing, and counts only while it is the last.
 */
export function findUnmended(loads: readonly KnownLoad[]): KnownLoad[] {
  const loaded = new Set<string>();
  return loads.filter(({ state, surveyed = [] }, position) => {
    const sources = surveyed.map(({ source }) => source);
    if (state === "succeeded") for (const source of sources) loaded.add(source);
    if (state === "succeeded" || state === "running") return false;
    return sources.length > 0 ? sources.some((source) => !loaded.has(source)) : position === 0;
  });
}

function describe({ _id, state, reason }: KnownLoad): string {
  return `${_id} ${state === "failed" ? "failed" : "was broken off"}${reason ? `: ${reason}` : ""}`;
}
