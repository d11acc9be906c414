/**
 * What must be loaded again after an undo: records keep no statement that a later one has replaced, or that only
 * repeats an earlier one.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { records } from "../../api/resources/index.ts";
import {
  fetchLatestLoads,
  filesOf,
  isOverlapping,
  isUndone,
  MOST_MENDS,
  reachedBy,
  type LoadedFile,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { findSource } from "../sources/index.ts";

/** Collections that a file fills; all for rows of any kind that an earlier release loaded. */
export function fillsOf({ source, fills }: SurveyedFile): readonly string[] {
  const { fills: kinds } = findSource(source);
  return fills ?? (typeof kinds === "function" ? records : kinds).map(({ collection }) => collection);
}

export function isSharing(one: SurveyedFile, other: SurveyedFile): boolean {
  const isOfScope = one.source !== other.source || isOverlapping(one.scope, other.scope);
  return isOfScope && fillsOf(one).some((collection) => fillsOf(other).includes(collection));
}

/**
 * The files, in the order in which they were loaded, whose statements a load has replaced or spared: those of its
 * sources, and with `isWhole` (it stated whole records, or removed them) also earlier ones of other sources. Of
 * editions those since the last that removed what it lacks.
 */
export function listFormer(load: LoadRecord, loaded: readonly LoadedFile[], isWhole: boolean): LoadedFile[] {
  const former = new Map<string, LoadedFile>();
  const complete = new Map<string, string>();
  for (const file of loaded) {
    const { source, name, of } = file;
    const isOf = (one: SurveyedFile) => one.source === source || (isWhole && of._id < load._id);
    const isShared = (load.surveyed ?? []).some((one) => isOf(one) && isSharing(one, file));
    const isOwn = of._id === load._id || file.mends !== undefined;
    if (isOwn || !isShared || (complete.get(editionsOf(file)) ?? of._id) !== of._id) continue;
    if (of.plan.isComplete && of.state === "succeeded") complete.set(editionsOf(file), of._id);
    if (!former.has(`${source}/${name}`)) former.set(`${source}/${name}`, file);
  }
  return [...former.values()].reverse();
}

/** What the editions of a file have in common; a file without a day is none. */
function editionsOf({ source, scope, part, name, production_date: day }: SurveyedFile): string {
  return JSON.stringify([source, scope, part?.product, day === undefined && name]);
}

/**
 * Returns the files that repeat a loaded edition which an undone load had replaced. They get their place among
 * statements: after the rows of that edition, but before what was loaded after it.
 * Limit: not once a file without a day has been loaded since the undo, which counts as later than all before it.
 */
export async function placeAgain(
  documents: Pick<DocumentStore, "listLatest">,
  { _id, plan }: LoadRecord,
  files: readonly SurveyedFile[],
): Promise<SurveyedFile[]> {
  const loads = plan.mends ? [] : (await fetchLatestLoads(documents)).filter((load) => load._id !== _id);
  const undone = filesOf(loads.filter(isUndone));
  const loaded = undone.length > 0 ? filesOf(loads.filter((load) => !isUndone(load))) : [];
  return files.filter((file) => {
    const former = loaded.find((other) => isSameFile(file, other));
    const shared = undone.filter((other) => isSharing(file, other));
    const [at = ""] = shared
      .flatMap(({ of }) => of.undone_at ?? [])
      .sort()
      .reverse();
    if (!former || at < former.of.started_at) return false;
    const isFollowed = loaded.some(
      (other) => other.production_date === undefined && other.of.started_at > at && isSharing(file, other),
    );
    if (!isFollowed) file.place = nextPlace(former, loads);
    return true;
  });
}

function isSameFile(one: SurveyedFile, other: SurveyedFile): boolean {
  const { production_date: day, part } = other;
  const isOfDay = day !== undefined && day === one.production_date && other.mends === undefined;
  return isOfDay && part?.part === one.part?.part && editionsOf(one) === editionsOf(other);
}

/** A place that no other load has. The first places after those of a load are for its mended rows. */
function nextPlace({ place, of }: LoadedFile, loads: readonly LoadRecord[]): number {
  const start = place ?? reachedBy(of) + MOST_MENDS / 2;
  const taken = filesOf(loads).flatMap((file) => file.place ?? []);
  return Math.max(start, ...taken.filter((one) => one > start && one < start + MOST_MENDS / 2)) + 1;
}
