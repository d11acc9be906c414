/** Owns which loads ended badly and still matter: no later load has brought what they should have brought. */
import { basename } from "node:path";
import { lackingParts } from "../../api/shared/values/parts.ts";
import { LOADS } from "../../api/shared/stores/collections/loaded-sources.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { isOverlapping, withStates, type KnownLoad, type SurveyedFile } from "./loads.ts";

// Limit: loads that are looked at; a month of daily ones of every source.
const LOOKED_AT = 300;
// Not their counts, which may have many warnings: the metrics ask often.
const ASKED = [
  ...(["state", "files", "started_at", "finished_at", "plan", "surveyed", "formats", "undone_at"] as const),
  ...(["reason", "isUnknownFormat", "isForced", "isChanged"] as const),
];

/** How a load ended, and of which files it was. */
export type LoadOutcome = Pick<KnownLoad, "_id" | (typeof ASKED)[number]>;

/** The last load of a known format, if any, and those of the latest that ended badly and still matter, latest first. */
export async function fetchUnmended({ mongo, redis }: Stores) {
  // The cast: documents of this collection are loads.
  const latest = (await mongo.documents.listLatest(LOADS, LOOKED_AT, ASKED)) as unknown as LoadOutcome[];
  const ofSources = latest.filter(({ isUnknownFormat }) => !isUnknownFormat);
  const loads = await withStates(redis, ofSources);
  return { last: loads[0], unmended: findUnmended(loads) };
}

/**
 * Of loads, latest first, those that ended badly and that no later load has made good (`isMadeGood`). Of one that failed
 * before all its files were read only the formats are known: later files of these make it good, or the same files, loaded in
 * whatever way the person chose then. If not even these are known, it counts only while it is the last. What `follow` wrote is
 * no load to resume: followed streams have a check of their own.
 */
export function findUnmended(loads: readonly LoadOutcome[]): LoadOutcome[] {
  const later: (SurveyedFile & { isComplete: boolean })[] = [];
  const loaded = new Set<string>();
  const ofFiles = loads.filter(({ plan }) => !plan.isFollowing);
  return ofFiles.filter(
    ({ state, plan: { isComplete, mends }, files, surveyed = [], formats, undone_at }, position) => {
      if (state === "succeeded") {
        later.push(...surveyed.map((file) => ({ ...file, isComplete })));
        // `watch` has moved them; standard input may be another file each time.
        for (const file of files) if (file !== "-") loaded.add(basename(file));
      }
      if (state === "succeeded" || state === "running") return false;
      if (state === "undone") return undone_at === undefined;
      // What an edition lacks is removed by `--complete` alone.
      const able = isComplete ? later.filter((file) => file.isComplete) : later;
      if (surveyed.length > 0) return surveyed.some((file) => !isMadeGood(file, able));
      if (files.every((file) => loaded.has(basename(file)))) return false;
      const came = new Set(able.flatMap((file) => (mends || !file.mends ? file.source : [])));
      return formats ? formats.some((format) => !came.has(format)) : position === 0;
    },
  );
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
    const parts = able.flatMap(({ part }) => (part?.edition === one?.edition ? (part ?? []) : []));
    return one?.parts !== undefined && lackingParts([one, ...parts]).length === 0;
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
