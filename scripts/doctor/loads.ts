/** Owns the check of loads: did the last one of each source go well? */
import {
  fetchLatestLoads,
  isOverlapping,
  withStates,
  type KnownLoad,
  type SurveyedFile,
} from "../../ingest/history/loads.ts";
import { formatAge } from "../format.ts";
import { defineCheck, fail, ok, warn } from "./define-check.ts";

// Limit: loads that are looked at; a month of daily ones of every source.
const LOOKED_AT = 300;
// Of loads that ended badly; the rest is counted.
const NAMED = 3;

export const loadsCheck = defineCheck({
  title: "Last load of each source",
  run: async ({ stores, now }) => {
    const latest = await fetchLatestLoads(stores.mongo.documents, LOOKED_AT);
    const ofSources = latest.filter(({ isUnknownFormat }) => !isUnknownFormat);
    const loads = await withStates(stores.redis, ofSources);
    const [last] = loads;
    if (!last) return warn("nothing has been loaded yet", "npm run cli -- load FILE");
    const open = findUnmended(loads);
    const [first] = open;
    if (!first) {
      const age = formatAge(now() - Date.parse(last.finished_at ?? last.started_at));
      return ok(
        last.state === "running" ? `${last._id} has been running for ${age}` : `${last._id}, ${age} ago`,
      );
    }
    const more = open.length > NAMED ? `; ${open.length - NAMED} more` : "";
    return fail(
      open.slice(0, NAMED).map(describe).join("; ") + more,
      `npm run cli -- loads show ${first._id} says more; repair the cause, then run npm run cli -- load --resume ${first._id}; ` +
        "if the file itself is wrong, load the right one",
    );
  },
});

/**
 * Of loads, latest first, those that ended badly and that no later load has made good (`isMadeGood`). One that failed
 * before its files were known for what they are has changed nothing, and counts only while it is the last.
 */
export function findUnmended(loads: readonly KnownLoad[]): KnownLoad[] {
  const later: (SurveyedFile & { isComplete: boolean })[] = [];
  return loads.filter(({ state, plan: { isComplete }, surveyed = [], undone_at }, position) => {
    if (state === "succeeded") later.push(...surveyed.map((file) => ({ ...file, isComplete })));
    if (state === "succeeded" || state === "running") return false;
    if (state === "undone") return undone_at === undefined;
    // What an edition lacks is removed by `--complete` alone.
    const able = isComplete ? later.filter((file) => file.isComplete) : later;
    return surveyed.length > 0 ? surveyed.some((file) => !isMadeGood(file, able)) : position === 0;
  });
}

/**
 * True when what the file should have brought came later: with the same part of its edition or of a later one, with a
 * file that holds all of it, or with all parts of such an edition.
 */
function isMadeGood(file: SurveyedFile, loaded: readonly SurveyedFile[]): boolean {
  const able = loaded.filter(
    (other) => isOfSameKind(file, other) && !isOlder(other, file) && (file.isExtract ?? !other.isExtract),
  );
  if (able.some(({ part }) => !part || (part.part === file.part?.part && part.parts === file.part.parts)))
    return true;
  return able.some(({ part: one }) => {
    const parts = able.flatMap(({ part }) => (part?.edition === one?.edition ? (part?.part ?? []) : []));
    return one?.parts !== undefined && new Set(parts).size >= one.parts;
  });
}

/** Mended rows make good no more than a load of the same that failed. */
function isOfSameKind(a: SurveyedFile, b: SurveyedFile): boolean {
  if (b.mends !== undefined && b.mends !== a.mends) return false;
  return a.source === b.source && a.part?.product === b.part?.product && isOverlapping(a.scope, b.scope);
}

function isOlder({ production_date: a }: SurveyedFile, { production_date: b }: SurveyedFile): boolean {
  return a !== undefined && b !== undefined && a < b;
}

function describe({ _id, state, reason }: KnownLoad): string {
  if (state === "undone") return `${_id} is partly undone: npm run cli -- loads undo ${_id} undoes the rest`;
  return `${_id} ${state === "failed" ? "failed" : "was interrupted"}${reason ? `: ${reason}` : ""}`;
}
