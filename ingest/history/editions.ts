/** Owns what past loads say of the files that were loaded: editions, known by their days, and series, known by their runs. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { SetFile, SourceContext } from "../sources/define-source.ts";
import { fetchLatestLoads, type LoadRecord, type SurveyedFile } from "./loads.ts";

/** A file that a load has read to its end. It counts as loaded also when the load has failed since, or has not ended. */
export type LoadedFile = SurveyedFile & { of: LoadRecord };

/** The files of the latest loads, of one load after the other, the latest first. */
export async function fetchLoadedFiles(documents: DocumentStore): Promise<LoadedFile[]> {
  const loads = await fetchLatestLoads(documents);
  return loads.flatMap((of) => (of.surveyed ?? []).map((file) => ({ ...file, of })));
}

/** True when one record may stand in editions of these scopes of one source: without a scope one covers all of it. */
export function isOverlapping(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/** A file's place in a series such as `officers-update`. */
export interface SeriesRun {
  series: string;
  run: number;
}

/** The highest run that has been loaded, by series. */
export type HeldRuns = ReadonlyMap<string, number>;

/** How the files of a source follow each other: each builds on the one before. */
export interface Series {
  /** What is kept of a file once all of it is loaded; undefined: nothing. */
  runOf: (context: SourceContext) => SeriesRun | undefined;
  /**
   * Checks the files of one load, in the order in which they are named, against each other and what is held. Returns
   * sentences for the person who loads. Throws SourceError, saying what was expected, when they cannot be applied;
   * `isForced` says that a gap is known.
   */
  check?: (files: readonly SetFile[], held: HeldRuns, isForced: boolean) => string[];
}

/** The highest runs that these files have brought. */
export function runsOf(files: readonly LoadedFile[]): HeldRuns {
  const held = new Map<string, number>();
  for (const { run } of files)
    if (run && run.run > (held.get(run.series) ?? -1)) held.set(run.series, run.run);
  return held;
}

/**
 * The last load of each source that succeeded, by the source's name: when it ended, as an ISO time, and the latest day that
 * its files of this source tell, where they tell one: `2026-11-01`.
 */
export async function fetchLastLoads(documents: DocumentStore) {
  const last = new Map<string, { load: string; finishedAt: string; productionDate?: string }>();
  const files = await fetchLoadedFiles(documents);
  for (const { source, mends, of } of files) {
    const { _id: load, state, finished_at: finishedAt = "" } = of;
    const isLater = finishedAt > (last.get(source)?.finishedAt ?? "");
    if (state !== "succeeded" || mends !== undefined || !isLater) continue;
    const ofLoad = files.filter((file) => file.of === of && file.source === source);
    const productionDate = ofLoad
      .flatMap((file) => file.production_date ?? [])
      .sort()
      .at(-1);
    last.set(source, { load, finishedAt, ...(productionDate && { productionDate }) });
  }
  return last;
}
