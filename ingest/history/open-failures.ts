/** Finds the loads that ended badly and still matter, because no later load has brought their data. */
import { basename } from "node:path";
import { missingParts } from "../../api/shared/values/parts.ts";
import { LOADS } from "../../api/shared/stores/collections/loaded-sources.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { isOverlapping, withStates, type KnownLoad, type SurveyedFile } from "./loads.ts";

// Limit: how many loads are examined; enough for a month of daily loads of every source.
const LOOKED_AT = 300;
// Counts are left out: they may have many warnings, and the metrics read this often.
const ASKED = [
  ...(["state", "files", "started_at", "finished_at", "plan", "surveyed", "formats", "undone_at"] as const),
  ...(["reason", "isUnknownFormat", "isForced", "isChanged"] as const),
];

/** How a load ended, and which files it had. */
export type LoadOutcome = Pick<KnownLoad, "_id" | (typeof ASKED)[number]>;

/** `last`: last load of a known format, if any. `unmended`: loads that ended badly and still matter, latest first. */
export async function fetchOpenFailures({ mongo, redis }: Stores) {
  // The cast: documents of this collection are loads.
  const latest = (await mongo.documents.listLatest(LOADS, LOOKED_AT, ASKED)) as unknown as LoadOutcome[];
  const ofSources = latest.filter(({ isUnknownFormat }) => !isUnknownFormat);
  const loads = await withStates(redis, ofSources);
  return { last: loads[0], unmended: findOpenFailures(loads) };
}

/**
 * Of these loads, latest first, selects those that ended badly and that no later load has made good (`isMadeGood`). If
 * a load failed before all its files were read, only their formats are known. Later files of these formats make it
 * good, and so do files of the same names, in whatever format they were loaded then. If not even a format is known, the
 * load counts only while it is the last one. Loads of `follow` are left out: they cannot be resumed, and followed
 * streams have their own check.
 */
export function findOpenFailures(loads: readonly LoadOutcome[]): LoadOutcome[] {
  const later: (SurveyedFile & { isComplete: boolean })[] = [];
  const loaded = new Set<string>();
  const ofFiles = loads.filter(({ plan }) => !plan.isFollowing);
  return ofFiles.filter(
    ({ state, plan: { isComplete, mends }, files, surveyed = [], formats, undone_at }, position) => {
      if (state === "succeeded") {
        later.push(...surveyed.map((file) => ({ ...file, isComplete })));
        // Compared by name, since `watch` moves files. Standard input may be another file each time.
        for (const file of files) if (file !== "-") loaded.add(basename(file));
      }
      if (state === "succeeded" || state === "running") return false;
      if (state === "undone") return undone_at === undefined;
      // Only another load with `--complete` removes the records that an edition lacks.
      const able = isComplete ? later.filter((file) => file.isComplete) : later;
      if (surveyed.length > 0) return surveyed.some((file) => !isMadeGood(file, able));
      if (files.every((file) => loaded.has(basename(file)))) return false;
      const came = new Set(able.flatMap((file) => (mends || !file.mends ? file.source : [])));
      return formats ? formats.some((format) => !came.has(format)) : position === 0;
    },
  );
}

/**
 * True if later files have brought the data of this one: the same part of its edition or of a later one, one file with
 * the whole of such an edition, or all of its parts.
 */
function isMadeGood(file: SurveyedFile, loaded: readonly SurveyedFile[]): boolean {
  const able = loaded.filter(
    (other) => isOfSameKind(file, other) && !isOlder(other, file) && (file.isExtract ?? !other.isExtract),
  );
  if (able.some(({ part }) => !part || (part.part === file.part?.part && part.parts === file.part.parts)))
    return true;
  return able.some(({ part: one }) => {
    const parts = able.flatMap(({ part }) => (part?.edition === one?.edition ? (part ?? []) : []));
    return one?.parts !== undefined && missingParts([one, ...parts]).length === 0;
  });
}

/** A load of mended rows makes good only a failed load of mended rows of the same file. */
function isOfSameKind(a: SurveyedFile, b: SurveyedFile): boolean {
  if (b.mends !== undefined && b.mends !== a.mends) return false;
  return a.source === b.source && a.part?.product === b.part?.product && isOverlapping(a.scope, b.scope);
}

function isOlder({ production_date: a }: SurveyedFile, { production_date: b }: SurveyedFile): boolean {
  return a !== undefined && b !== undefined && a < b;
}
